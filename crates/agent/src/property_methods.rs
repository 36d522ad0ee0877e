//! Methods of `java.util.Properties`, through which system properties are read
//! and set by key: they tell the hook when they start.

use residue_classfile::Entry;

const CLASS: &str = "java/util/Properties";

/// What the hook is told, and by which methods. Those that are left out call one
/// of these.
const TOLD: [(&str, &[(&str, &str)]); 6] = [
    (
        "propertyRead",
        &[
            ("getProperty", "(Ljava/lang/String;)Ljava/lang/String;"),
            ("get", "(Ljava/lang/Object;)Ljava/lang/Object;"),
            ("containsKey", "(Ljava/lang/Object;)Z"),
            ("getOrDefault", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
        ],
    ),
    (
        "propertyWritten",
        &[
            ("put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
            ("putIfAbsent", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
            ("replace", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
            ("replace", "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Z"),
        ],
    ),
    (
        "propertyWrittenOrRemoved",
        &[
            ("remove", "(Ljava/lang/Object;)Ljava/lang/Object;"),
            ("remove", "(Ljava/lang/Object;Ljava/lang/Object;)Z"),
            (
                "computeIfAbsent",
                "(Ljava/lang/Object;Ljava/util/function/Function;)Ljava/lang/Object;",
            ),
            (
                "computeIfPresent",
                "(Ljava/lang/Object;Ljava/util/function/BiFunction;)Ljava/lang/Object;",
            ),
            ("compute", "(Ljava/lang/Object;Ljava/util/function/BiFunction;)Ljava/lang/Object;"),
            (
                "merge",
                "(Ljava/lang/Object;Ljava/lang/Object;Ljava/util/function/BiFunction;)Ljava/lang/Object;",
            ),
        ],
    ),
    ("propertiesCounted", &[("size", "()I"), ("isEmpty", "()Z")]),
    (
        "propertiesRead",
        &[
            ("keys", "()Ljava/util/Enumeration;"),
            ("elements", "()Ljava/util/Enumeration;"),
            ("contains", "(Ljava/lang/Object;)Z"),
            ("containsValue", "(Ljava/lang/Object;)Z"),
            ("keySet", "()Ljava/util/Set;"),
            ("values", "()Ljava/util/Collection;"),
            ("entrySet", "()Ljava/util/Set;"),
            ("forEach", "(Ljava/util/function/BiConsumer;)V"),
            ("toString", "()Ljava/lang/String;"),
            ("equals", "(Ljava/lang/Object;)Z"),
            ("hashCode", "()I"),
            ("clone", "()Ljava/lang/Object;"),
            ("writeHashtable", "(Ljava/io/ObjectOutputStream;)V"),
        ],
    ),
    (
        "propertiesWritten",
        &[
            ("putAll", "(Ljava/util/Map;)V"),
            ("replaceAll", "(Ljava/util/function/BiFunction;)V"),
            ("clear", "()V"),
        ],
    ),
];

pub(crate) fn entries() -> impl Iterator<Item = Entry<'static>> {
    TOLD.iter().flat_map(|(hook_name, methods)| {
        let has_key = hook_name.starts_with("property");
        methods.iter().map(move |(name, descriptor)| Entry {
            class: CLASS,
            name,
            descriptor,
            is_static: false,
            hook_name,
            hook_descriptor: if has_key {
                "(Ljava/lang/Object;Ljava/lang/Object;)V"
            } else {
                "(Ljava/lang/Object;)V"
            },
        })
    })
}
