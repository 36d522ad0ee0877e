//! Makes classes that no compiler makes any more, byte by byte.

/// How often the far-reaching samples read their field.
pub const FAR_READS: usize = 4_000;

pub const ACC_PUBLIC: u16 = 0x0001;
pub const ACC_STATIC: u16 = 0x0008;

/// A class in the making.
pub struct ClassBuilder {
    version: u16,
    name: String,
    pool: Vec<u8>,
    count: u16,
    fields: Vec<Vec<u8>>,
    methods: Vec<Vec<u8>>,
}

/// A method's code with its tables.
#[derive(Default)]
pub struct CodeParts {
    pub max_stack: u16,
    pub max_locals: u16,
    pub instructions: Vec<u8>,
    /// Start, end, handler and type.
    pub handlers: Vec<[u16; 4]>,
    pub attributes: Vec<(&'static str, Vec<u8>)>,
}

impl ClassBuilder {
    pub fn new(name: &str, version: u16) -> Self {
        let (pool, fields, methods) = (Vec::new(), Vec::new(), Vec::new());
        Self { version, name: name.to_owned(), pool, count: 1, fields, methods }
    }

    fn constant(&mut self, tag: u8, content: &[u8]) -> u16 {
        self.pool.push(tag);
        self.pool.extend_from_slice(content);
        self.count += 1;
        self.count - 1
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        self.constant(tag, &[first.to_be_bytes(), second.to_be_bytes()].concat())
    }

    pub fn text(&mut self, text: &str) -> u16 {
        let length = u16::try_from(text.len()).unwrap().to_be_bytes();
        self.constant(1, &[&length, text.as_bytes()].concat())
    }

    pub fn number(&mut self, number: u32) -> u16 {
        self.constant(3, &number.to_be_bytes())
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let name = self.text(name);
        self.constant(7, &name.to_be_bytes())
    }

    fn member(&mut self, tag: u8, owner: &str, name: &str, descriptor: &str) -> u16 {
        let owner = self.class(owner);
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        let name_and_type = self.pair(12, name, descriptor);
        self.pair(tag, owner, name_and_type)
    }

    pub fn field_constant(&mut self, owner: &str, name: &str, descriptor: &str) -> u16 {
        self.member(9, owner, name, descriptor)
    }

    pub fn method_constant(&mut self, owner: &str, name: &str, descriptor: &str) -> u16 {
        self.member(10, owner, name, descriptor)
    }

    pub fn field(&mut self, access: u16, name: &str, descriptor: &str) {
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        self.fields.push(words(&[access, name, descriptor, 0]));
    }

    /// A field with the content of a `RuntimeVisibleAnnotations` attribute.
    pub fn annotated_field(&mut self, access: u16, name: &str, descriptor: &str, content: &[u8]) {
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        let attribute = self.text("RuntimeVisibleAnnotations");
        let mut field = words(&[access, name, descriptor, 1, attribute]);
        field.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        field.extend(content);
        self.fields.push(field);
    }

    pub fn method(&mut self, access: u16, name: &str, descriptor: &str, code: &CodeParts) {
        let mut content = words(&[code.max_stack, code.max_locals]);
        content.extend(u32::try_from(code.instructions.len()).unwrap().to_be_bytes());
        content.extend(&code.instructions);
        content.extend(words(&[u16::try_from(code.handlers.len()).unwrap()]));
        content.extend(code.handlers.iter().flat_map(|handler| words(handler)));
        content.extend(words(&[u16::try_from(code.attributes.len()).unwrap()]));
        for (name, bytes) in &code.attributes {
            content.extend(words(&[self.text(name)]));
            content.extend(u32::try_from(bytes.len()).unwrap().to_be_bytes());
            content.extend(bytes);
        }
        let (name, descriptor, attribute) =
            (self.text(name), self.text(descriptor), self.text("Code"));
        let mut method = words(&[access, name, descriptor, 1, attribute]);
        method.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        method.extend(content);
        self.methods.push(method);
    }

    pub fn constants(&self) -> u16 {
        self.count
    }

    pub fn finish(mut self) -> Vec<u8> {
        let name = self.name.clone();
        let (this, parent) = (self.class(&name), self.class("java/lang/Object"));
        let mut class = vec![0xca, 0xfe, 0xba, 0xbe];
        class.extend(words(&[0, self.version, self.count]));
        class.extend(&self.pool);
        class.extend(words(&[ACC_PUBLIC | 0x20, this, parent, 0]));
        for members in [&self.fields, &self.methods] {
            class.extend(words(&[u16::try_from(members.len()).unwrap()]));
            class.extend(members.iter().flatten());
        }
        class.extend(words(&[0]));
        class
    }
}

pub fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// An instruction with an operand of 16 bit.
pub fn op(opcode: u8, operand: u16) -> [u8; 3] {
    let [high, low] = operand.to_be_bytes();
    [opcode, high, low]
}

/// Classes that can be run.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("Subroutine", subroutine()),
        ("FarOld", far("FarOld", 48, FAR_READS, false)),
        ("FarNew", far("FarNew", 52, FAR_READS, true)),
        ("OldConstructor", old_constructor()),
    ]
}

/// A `finally` block as it was once compiled.
fn subroutine() -> Vec<u8> {
    let mut class = ClassBuilder::new("Subroutine", 48);
    class.field(ACC_STATIC, "count", "I");
    let count = class.field_constant("Subroutine", "count", "I");
    let mut instructions = vec![0x04, 0x3c]; // iconst_1, istore_1
    instructions.extend(op(0xa8, 11)); // jsr 13
    instructions.extend([0x84, 1, 10]); // iinc 1 10
    instructions.extend(op(0xa8, 5)); // jsr 13
    instructions.extend([0x1b, 0xac]); // iload_1, ireturn
    instructions.extend([0x4d, 0x1b]); // 13: astore_2, iload_1
    instructions.extend(op(0xb3, count)); // putstatic
    instructions.extend([0x84, 1, 5, 0xa9, 2]); // iinc 1 5, ret 2
    let code = CodeParts { max_stack: 1, max_locals: 3, instructions, ..CodeParts::default() };
    class.method(ACC_PUBLIC | ACC_STATIC, "run", "()I", &code);
    class.finish()
}

/// A loop whose body becomes longer than a branch reaches.
pub fn far(name: &str, version: u16, reads: usize, frame_after_branch: bool) -> Vec<u8> {
    let mut class = ClassBuilder::new(name, version);
    class.field(ACC_STATIC, "field", "I");
    let field = class.field_constant(name, "field", "I");
    let nothing = class.method_constant(name, "nothing", "()V");
    let body_length = u16::try_from(reads * 7).unwrap();
    let mut instructions = vec![0x03, 0x3b, 0x1a]; // iconst_0, istore_0, 2: iload_0
    instructions.extend(op(0x9a, 3 + body_length + 6)); // ifne end
    for _ in 0..reads {
        instructions.extend(op(0xb2, field)); // getstatic
        instructions.push(0x57); // pop
        instructions.extend(op(0xb8, nothing)); // invokestatic
    }
    instructions.extend([0x84, 0, 1]); // iinc 0 1
    let back = 2 - i32::try_from(instructions.len()).unwrap();
    instructions.extend(op(0xa7, (back as i16).cast_unsigned())); // goto 2
    let end = u16::try_from(instructions.len()).unwrap();
    instructions.extend([0x08, 0xac]); // iconst_5, ireturn
    let mut attributes = Vec::new();
    if version >= 50 {
        let mut frames = words(&[if frame_after_branch { 3 } else { 2 }]);
        frames.extend([252, 0, 2, 1]); // at 2: one more local, an int
        if frame_after_branch {
            frames.push(3); // at 6: the same
        }
        let before = if frame_after_branch { 6 } else { 2 };
        frames.extend(op(251, end - before - 1)); // at the end: the same
        attributes.push(("StackMapTable", frames));
    }
    let code =
        CodeParts { max_stack: 1, max_locals: 1, instructions, attributes, ..CodeParts::default() };
    class.method(ACC_PUBLIC | ACC_STATIC, "run", "()I", &code);
    let nothing = CodeParts { instructions: vec![0xb1], ..CodeParts::default() };
    class.method(ACC_STATIC, "nothing", "()V", &nothing);
    class.finish()
}

/// Copies `this` around and sets a field of it before calling `super()`, where
/// two ways meet and no frame tells what is on the stack.
fn old_constructor() -> Vec<u8> {
    let mut class = ClassBuilder::new("OldConstructor", 48);
    class.field(0, "value", "I");
    let value = class.field_constant("OldConstructor", "value", "I");
    let object = class.method_constant("java/lang/Object", "<init>", "()V");
    let own = class.method_constant("OldConstructor", "<init>", "(Z)V");
    let this = class.class("OldConstructor");
    let mut instructions = vec![0x2a, 0x4d, 0x2c, 0x1b]; // aload_0, astore_2, aload_2, iload_1
    instructions.extend(op(0x99, 8)); // 4: ifeq 12
    instructions.extend([0x10, 7]); // bipush 7
    instructions.extend(op(0xa7, 4)); // 9: goto 13
    instructions.push(0x06); // 12: iconst_3
    instructions.extend(op(0xb5, value)); // 13: putfield
    instructions.push(0x2a); // aload_0
    instructions.extend(op(0xb7, object)); // invokespecial
    instructions.push(0xb1); // return
    let code = CodeParts { max_stack: 2, max_locals: 3, instructions, ..CodeParts::default() };
    class.method(0, "<init>", "(Z)V", &code);
    let mut instructions = op(0xbb, this).to_vec(); // new
    instructions.extend([0x59, 0x04]); // dup, iconst_1
    instructions.extend(op(0xb7, own)); // invokespecial
    instructions.extend(op(0xb4, value)); // getfield
    instructions.push(0xac); // ireturn
    let code = CodeParts { max_stack: 3, max_locals: 0, instructions, ..CodeParts::default() };
    class.method(ACC_PUBLIC | ACC_STATIC, "run", "()I", &code);
    class.finish()
}
