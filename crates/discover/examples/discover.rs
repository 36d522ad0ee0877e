//! Prints the suites of a project as JSON: `discover PROJECT [BUILD_ARG...]`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use residue_discover::{DiscoverRequest, discover};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let request = DiscoverRequest {
        project: arguments.next().unwrap_or_else(|| ".".into()).into(),
        build_args: arguments.collect(),
        ..DiscoverRequest::default()
    };
    match discover(&request, &mut |line| eprintln!("{line}")) {
        Ok(found) => {
            for warning in found.warnings {
                eprintln!("warning: {warning}");
            }
            let json = serde_json::to_string_pretty(&found.project);
            println!("{}", json.unwrap_or_else(|error| error.to_string()));
        }
        Err(error) => {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
    }
}
