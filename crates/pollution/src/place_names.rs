//! What polluted state is called: state of the JVM by its own name, everything
//! else by the way to it.

use residue_model::Frame;
use residue_model::trace::{
    Change, Label, PathRoot, Place, PlaceStep, Pollution, Value, simple_class_name,
};

/// Static fields of the JDK that everybody knows under another name.
const JVM_STATE: [(&str, &str, &str); 24] = [
    ("java.lang.System", "out", "standard output (System.out)"),
    ("java.lang.System", "err", "standard error (System.err)"),
    ("java.lang.System", "in", "standard input (System.in)"),
    ("java.lang.System", "security", "security manager"),
    ("java.lang.Thread", "defaultUncaughtExceptionHandler", "default uncaught exception handler"),
    ("java.util.Locale", "defaultLocale", "default locale"),
    ("java.util.Locale", "defaultDisplayLocale", "default locale"),
    ("java.util.Locale", "defaultFormatLocale", "default locale"),
    ("java.util.TimeZone", "defaultTimeZone", "default time zone"),
    ("java.nio.charset.Charset", "defaultCharset", "default charset"),
    ("sun.security.jca.Providers", "providerList", "security providers"),
    ("java.security.Policy", "policyInfo", "security policy"),
    ("java.net.URL", "factory", "URL stream handler factory"),
    ("java.net.URLConnection", "factory", "content handler factory"),
    ("java.net.URLConnection", "fileNameMap", "file name map of URL connections"),
    ("java.net.CookieHandler", "cookieHandler", "default cookie handler"),
    ("java.net.ProxySelector", "theProxySelector", "default proxy selector"),
    ("java.net.Authenticator", "theAuthenticator", "default authenticator"),
    ("java.net.ResponseCache", "theResponseCache", "default response cache"),
    ("java.net.HttpURLConnection", "followRedirects", "whether HTTP redirects are followed"),
    ("javax.net.ssl.SSLContext", "defaultContext", "default SSL context"),
    ("java.sql.DriverManager", "registeredDrivers", "registered database drivers"),
    ("java.util.logging.Logger", "global", "global logger"),
    ("javax.swing.UIManager", "currentLAFState", "look and feel"),
];

/// Maps of the JDK whose entries have a name.
const JVM_MAPS: [(&str, &str, &str); 4] = [
    ("java.lang.System", "props", "system property"),
    ("java.security.Security", "props", "security property"),
    ("java.lang.ProcessEnvironment", "theEnvironment", "environment variable"),
    ("java.lang.ProcessEnvironment", "theUnmodifiableEnvironment", "environment variable"),
];

/// What is polluted, as one line; the same for the same state in every run.
pub fn name(pollution: &Pollution) -> String {
    let place = &pollution.place;
    let (PathRoot::Static { class, field }, steps) = (&place.root, &place.steps) else {
        return stable(place);
    };
    let known = |entry: &&(&str, &str, &str)| entry.0 == &**class && entry.1 == &**field;
    if let Some((_, _, name)) = JVM_STATE.iter().find(known) {
        return (*name).to_owned();
    }
    if let Some((_, _, name)) = JVM_MAPS.iter().find(known) {
        let in_steps = steps.iter().find_map(|step| match step {
            PlaceStep::Key(key) => Some(key),
            _ => None,
        });
        let keys: Vec<&Value> = match in_steps {
            Some(key) => vec![key],
            None => pollution.changes.iter().filter_map(changed_key).collect(),
        };
        return match keys.as_slice() {
            [] => plural(name),
            [key] => format!("{name} {key}"),
            [first, rest @ ..] if rest.len() < 3 => {
                let rest: String = rest.iter().map(|key| format!(", {key}")).collect();
                format!("{} {first}{rest}", plural(name))
            }
            [first, rest @ ..] => format!("{} {first} and {} more", plural(name), rest.len()),
        };
    }
    stable(place)
}

/// What a pollution is put together under with others: everything below one
/// static field, or one default of the JVM.
pub(crate) fn root(pollution: &Pollution) -> String {
    if is_of_jvm(&pollution.place) {
        return name(pollution);
    }
    Place { root: pollution.place.root.clone(), steps: vec![] }.to_string()
}

fn plural(name: &str) -> String {
    match name.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{name}s"),
    }
}

fn changed_key(change: &Change) -> Option<&Value> {
    match &change.label {
        Label::Key(key) => Some(key),
        _ => None,
    }
}

/// Locales for display and formats are there only after somebody asked for
/// them; until then the default locale stands for them.
pub(crate) fn is_filled_lazily(pollution: &Pollution) -> bool {
    let PathRoot::Static { class, field } = &pollution.place.root else { return false };
    let is_lazy = matches!(&**field, "defaultDisplayLocale" | "defaultFormatLocale");
    let mut changes = pollution.changes.iter();
    &**class == "java.util.Locale" && is_lazy && changes.all(|one| one.old == Some(Value::Null))
}

/// Whether the JDK worked a default of the JVM out from the outside, when
/// somebody asked for it first: the answer is the same whoever asks.
pub(crate) fn is_worked_out(stack: &[&Frame]) -> bool {
    const HOLDERS: [&str; 6] = [
        "java.beans.ThreadGroupContext",
        "java.util.Locale",
        "java.util.TimeZone",
        "java.nio.charset.Charset",
        "javax.net.ssl.SSLContext",
        "javax.net.ssl.HttpsURLConnection",
    ];
    const SETTERS: [&str; 3] =
        ["setDefault", "setDefaultSSLSocketFactory", "setDefaultHostnameVerifier"];
    let frame = stack.iter().find(|frame| HOLDERS.contains(&frame.class.as_str()));
    frame.is_some_and(|frame| !SETTERS.contains(&frame.method.as_str()))
}

/// The class where the way begins.
pub(crate) fn root_class(place: &Place) -> Option<&str> {
    match &place.root {
        PathRoot::Static { class, .. } => Some(class),
        PathRoot::Thread(_)
        | PathRoot::SystemProperty(_)
        | PathRoot::Outside(_)
        | PathRoot::Unknown => None,
    }
}

pub(crate) fn is_of_jvm(place: &Place) -> bool {
    const JVM: [&str; 4] = ["java.", "javax.", "sun.", "jdk."];
    root_class(place).is_some_and(|class| JVM.iter().any(|package| class.starts_with(package)))
}

/// Numbers of objects differ from run to run, so they are left out.
fn stable(place: &Place) -> String {
    let root = Place { root: place.root.clone(), steps: vec![] }.to_string();
    let steps = place.steps.iter().filter(|step| !is_wrapping(step)).map(|step| match step {
        PlaceStep::Key(Value::Object { class, .. }) => format!("[{}]", simple_class_name(class)),
        PlaceStep::Key(key) => format!("[{key}]"),
        PlaceStep::Index(index) => format!("[{index}]"),
        PlaceStep::Field { field, .. } => format!(".{field}"),
    });
    root + &steps.collect::<String>()
}

/// Fields through which one collection of the JDK is made of another.
fn is_wrapping(step: &PlaceStep) -> bool {
    let PlaceStep::Field { class, field } = step else { return false };
    let wrapper = ["java.util.HashSet", "java.util.Properties", "java.util.TreeSet"];
    matches!(&**field, "map" | "m") && wrapper.contains(&&**class)
        || class.starts_with("java.util.Collections$") && matches!(&**field, "m" | "c" | "list")
}

#[cfg(test)]
mod tests {
    use residue_model::trace::EpochIndex;

    use super::*;

    fn pollution(root: (&str, &str), steps: Vec<PlaceStep>, keys: &[&str]) -> Pollution {
        let change = |key: &&str| Change {
            label: Label::Key(Value::text(key)),
            old: None,
            new: None,
            before: vec![],
            after: vec![],
        };
        Pollution {
            since: EpochIndex(0),
            epoch: EpochIndex(0),
            place: Place {
                root: PathRoot::Static { class: root.0.into(), field: root.1.into() },
                steps,
            },
            public_root: true,
            loaded_here: false,
            locations: vec![],
            changes: keys.iter().map(change).collect(),
            unlisted_changes: 0,
        }
    }

    fn map_step() -> PlaceStep {
        PlaceStep::Field { class: "java.util.Properties".into(), field: "map".into() }
    }

    #[test]
    fn state_of_the_jvm_is_called_what_people_call_it() {
        let props = |keys| pollution(("java.lang.System", "props"), vec![map_step()], keys);
        assert_eq!(name(&props(&["a.b"])), r#"system property "a.b""#);
        assert_eq!(name(&props(&["a", "b"])), r#"system properties "a", "b""#);
        assert_eq!(name(&props(&["a", "b", "c", "d", "e"])), r#"system properties "a" and 4 more"#);
        let locale = pollution(("java.util.Locale", "defaultLocale"), vec![], &[]);
        assert_eq!(name(&locale), "default locale");
    }

    #[test]
    fn the_name_does_not_change_from_run_to_run() {
        let key = |id| PlaceStep::Key(Value::Object { class: "a.Key".into(), id });
        let named = |id| name(&pollution(("a.Registry", "byKey"), vec![map_step(), key(id)], &[]));
        assert_eq!(named(1), named(77));
        assert_eq!(named(1), "Registry.byKey[Key]");
    }
}
