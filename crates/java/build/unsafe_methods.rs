//! The methods of `jdk.internal.misc.Unsafe` that access objects, as a table:
//! from it come the methods of the hook that stand in for them, and a stub that
//! has those of all JDKs from 11 on, whichever JDK compiles.

use std::fmt::Write;

/// Name in Unsafe, Java type, logarithm of the width in bytes.
struct Type {
    name: &'static str,
    java: &'static str,
    width: u8,
}

const fn of(name: &'static str, java: &'static str, width: u8) -> Type {
    Type { name, java, width }
}

const TYPES: [Type; 10] = [
    of("Boolean", "boolean", 0),
    of("Byte", "byte", 0),
    of("Short", "short", 1),
    of("Char", "char", 1),
    of("Int", "int", 2),
    of("Long", "long", 3),
    of("Float", "float", 2),
    of("Double", "double", 3),
    // A reference never spans two elements, so its true width does not matter.
    of("Reference", "Object", 0),
    of("Object", "Object", 0),
];

impl Type {
    fn is_reference(&self) -> bool {
        self.java == "Object"
    }

    fn has_bits(&self) -> bool {
        !self.is_reference() && self.name != "Float" && self.name != "Double"
    }

    fn may_be_unaligned(&self) -> bool {
        self.has_bits() && self.width > 0
    }
}

/// What a method does to the location, before it does it.
enum Effect {
    Read,
    Write,
    /// Read, then written.
    Update,
    /// Read, then written if the value is that of the parameter `expected`.
    UpdateIfExpected,
}

struct Method {
    returns: &'static str,
    name: String,
    /// Types and names of what follows object and offset.
    parameters: Vec<(&'static str, &'static str)>,
    width: u8,
    effect: Effect,
    /// The plain read of the same type.
    getter: String,
}

fn methods() -> Vec<Method> {
    let mut all = Vec::new();
    for of in &TYPES {
        let mut add = |returns, name: String, parameters: &[_], effect| {
            let getter = format!("get{}", of.name);
            let parameters = parameters.to_vec();
            all.push(Method { returns, name, parameters, width: of.width, effect, getter });
        };
        let Type { name, java, .. } = *of;
        let value = (java, "value");
        let expected = (java, "expected");
        for order in ["", "Volatile", "Acquire", "Opaque"] {
            add(java, format!("get{name}{order}"), &[], Effect::Read);
        }
        for order in ["", "Volatile", "Release", "Opaque"] {
            add("void", format!("put{name}{order}"), &[value], Effect::Write);
        }
        if of.may_be_unaligned() {
            let big = ("boolean", "bigEndian");
            add(java, format!("get{name}Unaligned"), &[], Effect::Read);
            add(java, format!("get{name}Unaligned"), &[big], Effect::Read);
            add("void", format!("put{name}Unaligned"), &[value], Effect::Write);
            add("void", format!("put{name}Unaligned"), &[value, big], Effect::Write);
        }
        let swap = [expected, value];
        add("boolean", format!("compareAndSet{name}"), &swap, Effect::UpdateIfExpected);
        for order in ["", "Plain", "Acquire", "Release"] {
            let name = format!("weakCompareAndSet{name}{order}");
            add("boolean", name, &swap, Effect::UpdateIfExpected);
        }
        for order in ["", "Acquire", "Release"] {
            let exchange = format!("compareAndExchange{name}{order}");
            add(java, exchange, &swap, Effect::UpdateIfExpected);
            add(java, format!("getAndSet{name}{order}"), &[value], Effect::Update);
            if !of.is_reference() && java != "boolean" {
                add(java, format!("getAndAdd{name}{order}"), &[value], Effect::Update);
            }
            if of.has_bits() {
                for operation in ["Or", "And", "Xor"] {
                    let name = format!("getAndBitwise{operation}{name}{order}");
                    add(java, name, &[value], Effect::Update);
                }
            }
        }
    }
    all
}

impl Method {
    fn declared(&self) -> String {
        self.parameters.iter().fold(String::new(), |mut text, (java, name)| {
            let _ = write!(text, ", {java} {name}");
            text
        })
    }

    fn passed(&self) -> String {
        self.parameters.iter().map(|(_, name)| format!(", {name}")).collect()
    }

    fn noted(&self) -> String {
        let Self { width, getter, .. } = self;
        match self.effect {
            Effect::Read => format!("offsetRead(object, offset, {width})"),
            Effect::Write => format!("offsetWrite(object, offset, {width})"),
            Effect::Update => format!("offsetUpdate(object, offset, {width}, true)"),
            Effect::UpdateIfExpected => format!(
                "offsetUpdate(object, offset, {width}, unsafe.{getter}(object, offset) == expected)"
            ),
        }
    }
}

/// The class `java.lang.ResidueUnsafe`.
pub(crate) fn hook_source() -> String {
    let mut text = String::from(
        "package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/** Called in place of the methods of Unsafe that access objects. */
class ResidueUnsafe extends ResidueUnsafeRanges {
",
    );
    for method in methods() {
        let Method { returns, name, .. } = &method;
        let (declared, passed, noted) = (method.declared(), method.passed(), method.noted());
        let hand_on = if *returns == "void" { "" } else { "return " };
        let _ = write!(
            text,
            "
    @ForceInline
    public static {returns} {name}(Unsafe unsafe, Object object, long offset{declared}) {{
        if (ResidueMark.mayBeOld(object)) {{
            ResidueAccess.{noted};
        }}
        {hand_on}unsafe.{name}(object, offset{passed});
    }}
"
        );
    }
    text.push_str("}\n");
    text
}

/// What `javac` takes for `jdk.internal.misc.Unsafe`.
pub(crate) fn stub_source() -> String {
    let mut text = String::from(
        "package jdk.internal.misc;

public final class Unsafe {
    public static native Unsafe getUnsafe();
    public native int getInt(long address);
    public native long getLong(long address);
    public native byte getByte(long address);
    public native char getChar(long address);
    public native void putInt(long address, int value);
    public native void storeFence();
    public native void copyMemory(
            Object from, long fromOffset, Object to, long toOffset, long bytes);
    public native void copySwapMemory(
            Object from, long fromOffset, Object to, long toOffset, long bytes, long width);
    public native void setMemory(Object object, long offset, long bytes, byte value);
",
    );
    for method in methods() {
        let declared = method.declared();
        let Method { returns, name, .. } = &method;
        let _ = writeln!(
            text,
            "    public native {returns} {name}(Object object, long offset{declared});"
        );
    }
    text.push_str("}\n");
    text
}
