//! Class files that no compiler of today makes.

/// A class with one static method, `run`.
#[derive(Debug, Clone, Copy)]
pub struct HandMadeClass<'a> {
    /// With slashes.
    pub name: &'a str,
    /// The same.
    pub super_name: &'a str,
    /// The major version.
    pub format: u16,
    /// Of the method.
    pub descriptor: &'a str,
    /// The instructions of the method, which has four locals and a stack of
    /// four.
    pub code: &'a [u8],
}

/// `int run()` that gives 6 and has its `finally` as a subroutine.
pub const WITH_SUBROUTINE: &[u8] = &[
    0x04, 0x3b, // iconst_1, istore_0
    0xa8, 0, 5, // jsr to the subroutine
    0x1a, 0xac, // iload_0, ireturn
    0x4c, 0x84, 0, 5, 0xa9, 1, // astore_1, iinc 0 5, ret 1
];

/// `int run(...)` that gives 1.
pub const WITHOUT_SUBROUTINE: &[u8] = &[0x04, 0xac];

impl HandMadeClass<'_> {
    /// The class file.
    ///
    /// # Panics
    /// If something is too long for one.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
        let words = |words: &[u16]| -> Vec<u8> {
            words.iter().flat_map(|word| word.to_be_bytes()).collect()
        };
        let text = |text: &str| -> Vec<u8> {
            let length = u16::try_from(text.len()).expect("a short text");
            [&[1], &length.to_be_bytes()[..], text.as_bytes()].concat()
        };
        let mut add = |part: Vec<u8>| bytes.extend(part);
        add(words(&[self.format, 8]));
        add(text(self.name)); // 1
        add(vec![7, 0, 1]); // 2: the class
        add(text(self.super_name)); // 3
        add(vec![7, 0, 3]); // 4: the superclass
        add(text("run")); // 5
        add(text(self.descriptor)); // 6
        add(text("Code")); // 7
        // Public, no interfaces, no fields, a method that is public and static.
        add(words(&[0x0021, 2, 4, 0, 0, 1, 0x0009, 5, 6, 1]));
        let length = u16::try_from(self.code.len()).expect("a short method");
        // Four locals, a stack of four, no handlers, no attributes.
        add(words(&[7, 0, length + 12, 4, 4, 0, length]));
        add(self.code.to_vec());
        add(words(&[0, 0, 0]));
        bytes
    }
}
