//! From classes that count as changed to the tests that they touch.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use residue_model::TestId;

use crate::diff::How;
use crate::executed::{Executed, FileRead};
use crate::impact::{Cause, ChangedClass, FileChange, Impact};

/// Frameworks look for what is in here without any test's doing.
const FOR_FRAMEWORKS: &str = "META-INF";

/// Why a change touches a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Nobody knows what this changes.
    Everything(String),
    /// The run that tells what tests execute does not have it.
    New,
    /// That run never came to it, or its trace proves nothing.
    NotSeen,
    /// Its class counts as changed.
    OwnClass(ChangedClass),
    /// It ran this class, which counts as changed.
    Runs {
        /// Binary name.
        class: String,
        /// Why it counts as changed.
        changed: ChangedClass,
    },
    /// It read this file.
    Reads {
        /// As people know it.
        file: String,
        /// What happened to it.
        how: How,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Everything(why) => f.write_str(why),
            Self::New => f.write_str("new"),
            Self::NotSeen => f.write_str("what it runs is not known"),
            Self::OwnClass(changed) => match &changed.cause {
                Cause::Itself => write!(f, "its own {}", file(changed)),
                cause => write!(f, "its class {} {}", words(cause), origin(changed)),
            },
            Self::Runs { class, changed } => match &changed.cause {
                Cause::Itself => write!(f, "runs {}", file(changed)),
                cause => {
                    write!(f, "runs {}, which {} {}", simple(class), words(cause), origin(changed))
                }
            },
            Self::Reads { file, how } => write!(f, "reads {file}: {}", how.as_str()),
        }
    }
}

fn file(changed: &ChangedClass) -> String {
    format!("{}: {}", changed.file, changed.how.as_str())
}

fn origin(changed: &ChangedClass) -> String {
    format!("({})", file(changed))
}

fn words(cause: &Cause) -> String {
    match cause {
        Cause::Itself => "changed".into(),
        Cause::Copies(name) => format!("may hold a copy of {name}"),
        Cause::Names(class) => format!("names {}", simple(class)),
        Cause::InitialisedFrom => "was initialised from a file".into(),
    }
}

fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// The tests that a change touches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// By position among the tests in question.
    pub reasons: BTreeMap<usize, Reason>,
    /// Why everything counts as touched, if it does.
    pub everything: Vec<String>,
}

/// Which of these tests are touched, and why.
pub fn touched(tests: &[TestId], executed: &Executed, impact: &Impact) -> Touched {
    let mut search = Search { executed, impact: impact.clone(), readers: HashMap::new() };
    for file in &impact.files {
        search.file(file);
    }
    search.always();
    let reasons = tests.iter().enumerate();
    let reasons = reasons.filter_map(|(at, test)| Some((at, search.reason(test)?))).collect();
    Touched { reasons, everything: search.impact.everything }
}

struct Search<'a> {
    executed: &'a Executed,
    impact: Impact,
    readers: HashMap<&'a TestId, Reason>,
}

impl Search<'_> {
    fn file(&mut self, file: &FileChange) {
        let executed = self.executed;
        let folders: BTreeSet<&str> = match file.how {
            How::Modified => BTreeSet::new(),
            // Whoever lists the folder sees that something came or went.
            How::Added | How::Deleted => {
                file.called.iter().filter_map(|name| Some(name.rsplit_once('/')?.0)).collect()
            }
        };
        let of_interest = |read: &&FileRead| {
            file.called.contains(&read.name) || folders.contains(read.name.as_str())
        };
        let mut unseen = true;
        for (test, code) in &executed.tests {
            for read in code.files.iter().filter(of_interest) {
                unseen = false;
                let (path, how) = (file.path.clone(), file.how);
                let Some(inside) = &read.inside else {
                    let how = how.as_str();
                    let why = format!("{path} {how}, and it is not known which code reads it");
                    self.everything(why);
                    continue;
                };
                for class in inside {
                    let (file, cause) = (path.clone(), Cause::InitialisedFrom);
                    let changed = ChangedClass { file, how, cause };
                    self.impact.classes.entry(class.clone()).or_insert(changed);
                }
                self.readers.insert(test, Reason::Reads { file: path, how });
            }
        }
        let for_frameworks = file.path.split('/').any(|part| part == FOR_FRAMEWORKS);
        // Code that did not change and would read a new file has looked for it.
        let may_matter = !file.beside && (file.how != How::Added || for_frameworks);
        if unseen && may_matter {
            let (path, how) = (&file.path, file.how.as_str());
            self.everything(format!("{path} {how}, and no test was seen to read it"));
        }
    }

    fn everything(&mut self, why: String) {
        if !self.impact.everything.contains(&why) {
            self.impact.everything.push(why);
        }
    }

    fn always(&mut self) {
        let ran = self.executed.always.iter().filter_map(|class| self.impact.classes.get(class));
        let whys = ran.map(|changed| format!("{}, which bears on every test", file(changed)));
        let whys: Vec<String> = whys.collect();
        whys.into_iter().for_each(|why| self.everything(why));
    }

    fn reason(&self, test: &TestId) -> Option<Reason> {
        if !self.executed.asked.contains(test) {
            return Some(Reason::New);
        }
        let changed = |class: &str| self.impact.classes.get(class);
        if let Some(changed) = changed(test.class()) {
            return Some(Reason::OwnClass(changed.clone()));
        }
        if let Some(why) = self.impact.everything.first() {
            return Some(Reason::Everything(why.clone()));
        }
        if self.impact.is_empty() {
            return None;
        }
        let Some(code) = self.executed.tests.get(test) else { return Some(Reason::NotSeen) };
        let ran = code.classes.iter().filter_map(|class| Some((class, changed(class)?)));
        // The plainest reason is the best.
        let plainest = ran.min_by_key(|(_, changed)| changed.cause != Cause::Itself);
        match plainest {
            Some((class, changed)) => {
                Some(Reason::Runs { class: class.clone(), changed: changed.clone() })
            }
            None => self.readers.get(test).cloned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_base::CodeBase;
    use crate::executed::TestCode;
    use crate::impact::impact;
    use crate::testing::{Texts, changed, class, code};

    fn test(id: &str) -> TestId {
        TestId::parse(id).unwrap()
    }

    /// `a.ATest#x` runs A and reads a file, `a.BTest#y` runs B; nobody has seen
    /// `a.BTest#z`.
    fn executed() -> Executed {
        let asked = ["a.ATest#x", "a.BTest#y", "a.BTest#z"].map(test).into();
        let mut executed = Executed { asked, ..Executed::default() };
        let code = |classes: &[&str], files: Vec<FileRead>| TestCode {
            classes: classes.iter().map(ToString::to_string).collect(),
            files,
        };
        let inside = Some(BTreeSet::from(["a.B".to_owned()]));
        let read = FileRead { name: "target/classes/b.txt".into(), inside };
        executed.tests.insert(test("a.ATest#x"), code(&["a.ATest", "a.A"], vec![read]));
        executed.tests.insert(test("a.BTest#y"), code(&["a.BTest", "a.B"], vec![]));
        executed
    }

    fn base() -> CodeBase {
        let names = ["A", "B", "ATest", "BTest", "C"];
        let mut code = code(names.map(|name| class(&format!("a.{name}"), &format!("{name}.java"))));
        code.add_file("b.txt".into(), "target/classes/b.txt".into());
        code
    }

    fn reasons(path: &str, how: How, executed: &Executed) -> Vec<String> {
        let impact = impact(&[changed(path, how)], &[], &base(), &Texts::new(&[]));
        let tests = ["a.ATest#x", "a.BTest#y", "a.CTest#new"].map(test);
        let touched = touched(&tests, executed, &impact);
        let told = |(at, reason): (&usize, &Reason)| format!("{} {reason}", tests[*at]);
        touched.reasons.iter().map(told).collect()
    }

    #[test]
    fn a_test_is_touched_if_it_is_new_or_ran_what_changed() {
        let new = "a.CTest#new new";
        let executed = executed();
        let of = |path| reasons(path, How::Modified, &executed);
        assert_eq!(of("src/main/java/a/A.java"), ["a.ATest#x runs A.java: changed", new]);
        assert_eq!(
            of("src/test/java/a/BTest.java"),
            ["a.BTest#y its own BTest.java: changed", new]
        );
        assert_eq!(of("src/main/java/a/C.java"), [new]);
        assert_eq!(of("README.md"), [new]);
    }

    #[test]
    fn a_test_that_was_not_seen_to_run_is_touched_by_anything() {
        let tests = [test("a.BTest#z")];
        let nothing = Impact::default();
        assert!(touched(&tests, &executed(), &nothing).reasons.is_empty());
        let files = [changed("src/main/java/a/C.java", How::Modified)];
        let something = impact(&files, &[], &base(), &Texts::new(&[]));
        assert_eq!(touched(&tests, &executed(), &something).reasons[&0], Reason::NotSeen);
    }

    #[test]
    fn a_build_file_touches_everything_and_says_so() {
        let told = reasons("pom.xml", How::Modified, &executed());
        assert_eq!(
            told,
            ["a.ATest#x pom.xml changed", "a.BTest#y pom.xml changed", "a.CTest#new new"]
        );
    }

    #[test]
    fn code_that_bears_on_every_test_touches_everything() {
        let executed = Executed { always: ["a.C".to_owned()].into(), ..executed() };
        let told = reasons("src/main/java/a/C.java", How::Modified, &executed);
        assert_eq!(told[0], "a.ATest#x C.java: changed, which bears on every test");
    }

    #[test]
    fn a_file_read_by_an_initialiser_touches_all_who_use_the_class() {
        let told = reasons("src/main/resources/b.txt", How::Modified, &executed());
        let expected = [
            "a.ATest#x reads src/main/resources/b.txt: changed",
            "a.BTest#y runs B, which was initialised from a file (src/main/resources/b.txt: changed)",
            "a.CTest#new new",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_file_that_nobody_was_seen_to_read_touches_everything_unless_it_is_new() {
        let told = reasons("src/main/resources/unread.txt", How::Modified, &executed());
        assert!(
            told[0].ends_with("unread.txt changed, and no test was seen to read it"),
            "{told:?}"
        );
        let told = reasons("src/main/resources/unread.txt", How::Added, &executed());
        assert_eq!(told, ["a.CTest#new new"]);
        let told = reasons("src/main/resources/META-INF/services/x", How::Added, &executed());
        assert_eq!(told.len(), 3);
    }

    #[test]
    fn a_file_read_by_unknown_code_touches_everything() {
        let mut executed = executed();
        executed.tests.get_mut(&test("a.ATest#x")).unwrap().files[0].inside = None;
        let told = reasons("src/main/resources/b.txt", How::Modified, &executed);
        assert!(told[1].ends_with("it is not known which code reads it"), "{told:?}");
    }

    #[test]
    fn who_lists_a_folder_sees_what_came_and_went() {
        let mut executed = executed();
        executed.tests.get_mut(&test("a.BTest#y")).unwrap().files =
            vec![FileRead { name: "src/test/data".into(), inside: Some(BTreeSet::new()) }];
        let told = reasons("src/test/data/new.txt", How::Added, &executed);
        assert_eq!(told, ["a.BTest#y reads src/test/data/new.txt: new", "a.CTest#new new"]);
    }
}
