//! JUnit XML in the form of Surefire, which CI servers read: one document a
//! class, named `TEST-<class>.xml`.

use std::collections::BTreeMap;

use residue_model::{Outcome, TestResult};

use crate::parallel_report::ParallelReport;
use crate::xml::escaped;

/// File names and documents, by class.
pub fn junit_xml(report: &ParallelReport<'_>) -> Vec<(String, String)> {
    let mut classes: BTreeMap<&str, Vec<&TestResult>> = BTreeMap::new();
    for result in report.results {
        classes.entry(result.test.class()).or_default().push(result);
    }
    let document = |(class, results): (&str, Vec<&TestResult>)| {
        (format!("TEST-{class}.xml"), suite(class, &results, report))
    };
    classes.into_iter().map(document).collect()
}

fn suite(class: &str, results: &[&TestResult], report: &ParallelReport<'_>) -> String {
    let ended: Vec<_> = results.iter().map(|result| report.final_result(result)).collect();
    let count = |wanted: Tag| ended.iter().filter(|result| tag(&result.outcome) == wanted).count();
    let seconds: f64 = ended.iter().map(|result| result.duration.as_secs_f64()).sum();
    let cases: String = results.iter().map(|result| case(class, result, report)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"{}\" time=\"{seconds:.3}\" tests=\"{}\" errors=\"{}\" skipped=\"{}\" \
         failures=\"{}\">\n{cases}</testsuite>\n",
        escaped(class),
        results.len(),
        count(Tag::Error),
        count(Tag::Skipped),
        count(Tag::Failure),
    )
}

fn case(class: &str, result: &TestResult, report: &ParallelReport<'_>) -> String {
    let name = result.test.as_str().strip_prefix(class).unwrap_or_default();
    let ended = report.final_result(result);
    let mut content = verdict(&ended.outcome);
    // Surefire's own way to tell that a test passed only when it ran again.
    if let Some(differing) = report.differing_of(result)
        && differing.recovered()
        && let Some(flaky) = match tag(differing.actual) {
            Tag::Failure => Some("flakyFailure"),
            Tag::Error => Some("flakyError"),
            Tag::Passed | Tag::Skipped => None,
        }
    {
        content += &thrown(flaky, differing.actual);
    }
    for (stream, text) in
        [("system-out", &ended.output.stdout), ("system-err", &ended.output.stderr)]
    {
        if !text.is_empty() {
            content += &format!("    <{stream}>{}</{stream}>\n", escaped(text));
        }
    }
    let head = format!(
        "  <testcase name=\"{}\" classname=\"{}\" time=\"{:.3}\"",
        escaped(name.trim_start_matches('#')),
        escaped(class),
        ended.duration.as_secs_f64()
    );
    if content.is_empty() {
        format!("{head}/>\n")
    } else {
        format!("{head}>\n{content}  </testcase>\n")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Passed,
    Skipped,
    Failure,
    Error,
}

fn tag(outcome: &Outcome) -> Tag {
    match outcome {
        Outcome::Passed => Tag::Passed,
        Outcome::Skipped(_) => Tag::Skipped,
        Outcome::Failed(_) => Tag::Failure,
        Outcome::Errored(_) | Outcome::TimedOut(_) | Outcome::Crashed(_) | Outcome::NotReached => {
            Tag::Error
        }
    }
}

fn verdict(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => String::new(),
        Outcome::Skipped(None) => "    <skipped/>\n".into(),
        Outcome::Skipped(Some(reason)) => {
            format!("    <skipped message=\"{}\"/>\n", escaped(reason))
        }
        Outcome::Failed(_) => thrown("failure", outcome),
        _ => thrown("error", outcome),
    }
}

fn thrown(element: &str, outcome: &Outcome) -> String {
    let (kind, message, trace) = match outcome.failure() {
        Some(failure) => {
            let message = failure.message.clone().unwrap_or_default();
            (failure.exception.clone(), message, failure.stack_trace())
        }
        None => (outcome.kind().as_str().into(), outcome.headline(), outcome.headline()),
    };
    format!(
        "    <{element} message=\"{}\" type=\"{}\">{}</{element}>\n",
        escaped(&message),
        escaped(&kind),
        escaped(&trace)
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use residue_model::{CapturedOutput, Failure, TestId};

    use super::*;
    use crate::CalledWith;
    use crate::parallel_report::Differing;

    fn result(test: &str, outcome: Outcome) -> TestResult {
        TestResult {
            test: TestId::parse(test).unwrap(),
            outcome,
            duration: Duration::from_millis(12),
            output: CapturedOutput::default(),
        }
    }

    fn failed() -> Outcome {
        let (exception, message) = ("a.Boom".into(), Some("1 < 2".into()));
        Outcome::Failed(Failure { exception, message, frames: vec![], cause: None })
    }

    fn documents<'a>(
        results: &'a [TestResult],
        differing: &[Differing<'a>],
    ) -> Vec<(String, String)> {
        junit_xml(&ParallelReport {
            suite: ".",
            workers: 2,
            results,
            runs: &[],
            reference: &[],
            took: Duration::ZERO,
            serial: Duration::ZERO,
            duplicates: 0,
            differing_duplicates: 0,
            differing: differing.to_vec(),
            varying: 0,
            learned: &[],
            disturbed: &[],
            speculation: None,
            called_with: &CalledWith::default(),
        })
    }

    #[test]
    fn a_class_has_one_file_with_counts_that_agree() {
        let results = [
            result("a.T#x", Outcome::Passed),
            result("a.T#y[1]", failed()),
            result("a.U#z", Outcome::Skipped(Some("off".into()))),
        ];
        let documents = documents(&results, &[]);
        assert_eq!(
            (documents[0].0.as_str(), documents[1].0.as_str()),
            ("TEST-a.T.xml", "TEST-a.U.xml")
        );
        assert_eq!(
            documents[0].1,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuite name=\"a.T\" time=\"0.024\" tests=\"2\" errors=\"0\" skipped=\"0\" failures=\"1\">\n\
             \x20 <testcase name=\"x\" classname=\"a.T\" time=\"0.012\"/>\n\
             \x20 <testcase name=\"y[1]\" classname=\"a.T\" time=\"0.012\">\n\
             \x20   <failure message=\"1 &lt; 2\" type=\"a.Boom\">a.Boom: 1 &lt; 2</failure>\n\
             \x20 </testcase>\n\
             </testsuite>\n"
        );
        assert!(documents[1].1.contains("<skipped message=\"off\"/>"));
    }

    #[test]
    fn a_test_that_passes_when_run_again_is_flaky_and_counts_as_passed() {
        let results = [result("a.T#x", failed())];
        let (again, actual) = (result("a.T#x", Outcome::Passed), failed());
        let differing = Differing {
            test: &results[0].test,
            expected: &Outcome::Passed,
            actual: &actual,
            again: Some(&again),
        };
        let document = &documents(&results, &[differing])[0].1;
        assert!(document.contains("failures=\"0\""), "{document}");
        assert!(document.contains("<flakyFailure message=\"1 &lt; 2\""), "{document}");
    }
}
