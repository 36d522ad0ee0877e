//! The instruction set: numbers, lengths and simple stack effects.

pub(crate) const ICONST_M1: u8 = 2;
pub(crate) const ICONST_0: u8 = 3;
pub(crate) const ICONST_5: u8 = 8;
pub(crate) const BIPUSH: u8 = 16;
pub(crate) const SIPUSH: u8 = 17;
pub(crate) const LDC: u8 = 18;
pub(crate) const LDC_W: u8 = 19;
pub(crate) const ILOAD: u8 = 21;
pub(crate) const ALOAD: u8 = 25;
pub(crate) const ILOAD_0: u8 = 26;
pub(crate) const ALOAD_3: u8 = 45;
pub(crate) const IALOAD: u8 = 46;
pub(crate) const SALOAD: u8 = 53;
pub(crate) const ISTORE: u8 = 54;
pub(crate) const ASTORE: u8 = 58;
pub(crate) const ISTORE_0: u8 = 59;
pub(crate) const ASTORE_3: u8 = 78;
pub(crate) const IASTORE: u8 = 79;
pub(crate) const LASTORE: u8 = 80;
pub(crate) const DASTORE: u8 = 82;
pub(crate) const AASTORE: u8 = 83;
pub(crate) const SASTORE: u8 = 86;
pub(crate) const POP: u8 = 87;
pub(crate) const POP2: u8 = 88;
pub(crate) const DUP: u8 = 89;
pub(crate) const DUP_X1: u8 = 90;
pub(crate) const DUP_X2: u8 = 91;
pub(crate) const DUP2: u8 = 92;
pub(crate) const DUP2_X1: u8 = 93;
pub(crate) const DUP2_X2: u8 = 94;
pub(crate) const SWAP: u8 = 95;
pub(crate) const IINC: u8 = 132;
pub(crate) const IFEQ: u8 = 153;
pub(crate) const GOTO: u8 = 167;
pub(crate) const JSR: u8 = 168;
pub(crate) const RET: u8 = 169;
pub(crate) const TABLESWITCH: u8 = 170;
pub(crate) const LOOKUPSWITCH: u8 = 171;
pub(crate) const RETURN: u8 = 177;
pub(crate) const GETSTATIC: u8 = 178;
pub(crate) const PUTSTATIC: u8 = 179;
pub(crate) const GETFIELD: u8 = 180;
pub(crate) const PUTFIELD: u8 = 181;
pub(crate) const INVOKEVIRTUAL: u8 = 182;
pub(crate) const INVOKESPECIAL: u8 = 183;
pub(crate) const INVOKESTATIC: u8 = 184;
pub(crate) const INVOKEINTERFACE: u8 = 185;
pub(crate) const INVOKEDYNAMIC: u8 = 186;
pub(crate) const NEW: u8 = 187;
pub(crate) const NEWARRAY: u8 = 188;
pub(crate) const ANEWARRAY: u8 = 189;
pub(crate) const ATHROW: u8 = 191;
pub(crate) const CHECKCAST: u8 = 192;
pub(crate) const MONITORENTER: u8 = 194;
pub(crate) const WIDE: u8 = 196;
pub(crate) const MULTIANEWARRAY: u8 = 197;
pub(crate) const IFNULL: u8 = 198;
pub(crate) const IFNONNULL: u8 = 199;
pub(crate) const GOTO_W: u8 = 200;
pub(crate) const JSR_W: u8 = 201;

/// In [`LENGTHS`]: the length depends on more than the opcode.
pub(crate) const VARIABLE: u8 = 255;

/// The length of each instruction; 0 where there is none.
pub(crate) const LENGTHS: [u8; 256] = lengths();

const fn lengths() -> [u8; 256] {
    let mut table = [0; 256];
    let mut opcode = 0;
    while opcode <= JSR_W {
        table[opcode as usize] = match opcode {
            BIPUSH | LDC | ILOAD..=ALOAD | ISTORE..=ASTORE | RET | NEWARRAY => 2,
            SIPUSH | LDC_W | 20 | IINC | IFEQ..=JSR => 3,
            GETSTATIC..=INVOKESTATIC | NEW | ANEWARRAY | CHECKCAST | 193 | IFNULL | IFNONNULL => 3,
            MULTIANEWARRAY => 4,
            INVOKEINTERFACE | INVOKEDYNAMIC | GOTO_W | JSR_W => 5,
            TABLESWITCH | LOOKUPSWITCH | WIDE => VARIABLE,
            _ => 1,
        };
        opcode += 1;
    }
    table
}

/// Whether control never reaches the next instruction.
pub(crate) fn ends_block(opcode: u8) -> bool {
    matches!(opcode, GOTO | RET..=RETURN | ATHROW | GOTO_W)
}

/// Whether control may go on at places that the instruction names.
pub(crate) fn is_branch(opcode: u8) -> bool {
    let short = matches!(opcode, IFEQ..=JSR | IFNULL | IFNONNULL);
    short || matches!(opcode, TABLESWITCH | LOOKUPSWITCH | GOTO_W | JSR_W)
}

/// Slots popped and pushed by instructions whose effect is always the same and
/// whose results are plain new values: neither loads and stores of locals nor
/// stack shuffles, fields, calls or allocations.
pub(crate) const EFFECTS: [(u8, u8); 256] = effects();

const fn effects() -> [(u8, u8); 256] {
    let mut table = [(0, 0); 256];
    let mut opcode = 0;
    while opcode <= JSR_W {
        table[opcode as usize] = match opcode {
            // Constants.
            1..=8 | 11..=13 | 16..=19 => (0, 1),
            9 | 10 | 14 | 15 | 20 => (0, 2),
            // Array loads and stores.
            47 | 49 => (2, 2),
            46..=53 => (2, 1),
            80 | 82 => (4, 0),
            79..=86 => (3, 0),
            POP => (1, 0),
            POP2 => (2, 0),
            // Arithmetic, by turns int, long, float, double.
            96..=115 => {
                if opcode % 2 == 0 {
                    (2, 1)
                } else {
                    (4, 2)
                }
            }
            116 | 118 => (1, 1),
            117 | 119 => (2, 2),
            120 | 122 | 124 | 126 | 128 | 130 => (2, 1),
            121 | 123 | 125 => (3, 2),
            127 | 129 | 131 => (4, 2),
            // Conversions.
            133 | 135 | 140 | 141 => (1, 2),
            134 | 139 | 145..=147 => (1, 1),
            136 | 137 | 142 | 144 => (2, 1),
            138 | 143 => (2, 2),
            // Comparisons.
            148 | 151 | 152 => (4, 1),
            149 | 150 => (2, 1),
            // Branches and returns.
            153..=158 | 198 | 199 => (1, 0),
            159..=166 => (2, 0),
            JSR | JSR_W => (0, 1),
            TABLESWITCH | LOOKUPSWITCH => (1, 0),
            172 | 174 | 176 => (1, 0),
            173 | 175 => (2, 0),
            // Objects.
            190 | 193 => (1, 1),
            ATHROW | MONITORENTER | 195 => (1, 0),
            _ => (0, 0),
        };
        opcode += 1;
    }
    table
}

/// Slots of a value that a typed load or store moves; the five types follow
/// each other as int, long, float, double, reference.
pub(crate) fn typed_slots(type_number: u8) -> usize {
    if matches!(type_number, 1 | 3) { 2 } else { 1 }
}

/// The conditional branch that is taken when this one is not.
pub(crate) fn inverted(opcode: u8) -> u8 {
    match opcode {
        IFNULL => IFNONNULL,
        IFNONNULL => IFNULL,
        // They come in pairs that start with an odd number.
        _ => ((opcode + 1) ^ 1) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inversion_is_its_own_inverse() {
        assert_eq!(inverted(153), 154);
        assert_eq!(inverted(165), 166);
        for opcode in (153..=166).chain([IFNULL, IFNONNULL]) {
            assert_ne!(inverted(opcode), opcode);
            assert_eq!(inverted(inverted(opcode)), opcode);
        }
    }
}
