//! What traced runs track: the defaults, then the project's `residue.toml`,
//! then the command line.

use std::path::Path;

use residue_ignore::{Origin, Rule, Rules};
use residue_outside::is_about_outside;

use crate::args::TrackingArgs;
use crate::error::CliError;
use crate::settings::Settings;

/// What the project and the command line say beyond the defaults.
#[derive(Clone)]
pub struct TrackingRules {
    /// About fields, as the agent reads them.
    pub fields: String,
    /// About files, sockets and variables.
    pub outside: String,
}

impl TrackingRules {
    /// Reads the project's settings and the command line.
    pub fn read(project: &Path, args: &TrackingArgs) -> Result<Self, CliError> {
        let settings = Settings::read(project)?.trace;
        let mut fields = Rules::defaults();
        let mut outside = String::new();
        let sources = [
            (Origin::ProjectFile, settings.ignore, settings.track),
            (Origin::CommandLine, args.ignore.clone(), args.track.clone()),
        ];
        for (origin, ignore, track) in sources {
            for pattern in ignore {
                match is_about_outside(&pattern) {
                    true => outside += &format!("- {pattern}\n"),
                    false => fields.push(Rule::ignore(&pattern, origin)?),
                }
            }
            for pattern in track {
                match is_about_outside(&pattern) {
                    true => outside += &format!("+ {pattern}\n"),
                    false => fields.push(Rule::track(&pattern, origin)?),
                }
            }
        }
        Ok(Self { fields: fields.user_text(), outside })
    }
}
