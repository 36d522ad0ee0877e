//! What traced runs track: the defaults, then the project's `residue.toml`,
//! then the command line.

use std::path::Path;

use residue_ignore::{Origin, Rule, Rules};

use crate::args::TrackingArgs;
use crate::error::CliError;
use crate::settings::Settings;

/// The rules of the project and of the command line, as the agent reads them.
pub fn rules_text(project: &Path, args: &TrackingArgs) -> Result<String, CliError> {
    let settings = Settings::read(project)?.trace;
    let mut rules = Rules::defaults();
    let sources = [
        (Origin::ProjectFile, settings.ignore, settings.track),
        (Origin::CommandLine, args.ignore.clone(), args.track.clone()),
    ];
    for (origin, ignore, track) in sources {
        for pattern in ignore {
            rules.push(Rule::ignore(&pattern, origin)?);
        }
        for pattern in track {
            rules.push(Rule::track(&pattern, origin)?);
        }
    }
    Ok(rules.user_text())
}
