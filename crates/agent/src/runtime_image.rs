//! The image in which a JDK keeps its classes (`lib/modules`), as far as it
//! takes to find one of them.
//!
//! Everything that is not as expected is a class that is not found. Whoever uses
//! what is found here compares it with what the JVM has read itself.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

const MAGIC: u32 = 0xcafe_dada;
/// Major and minor, of all JDKs since 9.
const VERSION: u32 = 1 << 16;
/// Magic, version, flags, and the sizes of what follows.
const HEADER_BYTES: usize = 28;
/// Far more than there are classes.
const MOST_PLACES: u32 = 1 << 20;
/// A location is seven numbers of at most eight bytes, a byte before each.
const MOST_LOCATION_BYTES: usize = 64;
const MOST_CLASS_BYTES: u64 = 1 << 24;

const HASH_SEED: u32 = 0x0100_0193;

/// Attributes of a location that matter here.
const END: u8 = 0;
const OFFSET: u8 = 5;
const COMPRESSED_BYTES: u8 = 6;
const BYTES: u8 = 7;

#[derive(Debug)]
pub(crate) struct RuntimeImage {
    file: File,
    /// For each hash of a name what to do about others with the same hash.
    redirects: Vec<u32>,
    /// Where among the locations each place has its own.
    places: Vec<u32>,
    locations_start: u64,
    locations_bytes: u64,
    contents_start: u64,
}

impl RuntimeImage {
    pub(crate) fn open(java_home: &Path) -> Option<Self> {
        Self::read(File::open(java_home.join("lib/modules")).ok()?)
    }

    fn read(file: File) -> Option<Self> {
        let header = words(&file, 0, HEADER_BYTES)?;
        let &[MAGIC, VERSION, _flags, _resources, length, locations, strings] = header.as_slice()
        else {
            return None;
        };
        if length == 0 || length > MOST_PLACES {
            return None;
        }
        let table_bytes = length as usize * 4;
        let mut redirects = words(&file, HEADER_BYTES as u64, 2 * table_bytes)?;
        let places = redirects.split_off(length as usize);
        let locations_start = (HEADER_BYTES + 2 * table_bytes) as u64;
        Some(Self {
            file,
            redirects,
            places,
            locations_start,
            locations_bytes: locations.into(),
            contents_start: locations_start + u64::from(locations) + u64::from(strings),
        })
    }

    /// The class file of a class of `java.base`, whose name has slashes. If there
    /// is no such class it may be another one's: names are only told apart by
    /// their hashes.
    pub(crate) fn class_of_java_base(&self, name: &str) -> Option<Vec<u8>> {
        let place = self.place(&format!("/java.base/{name}.class"))?;
        let location = u64::from(*self.places.get(place)?);
        let left = self.locations_bytes.checked_sub(location)?;
        let mut attributes = [0; MOST_LOCATION_BYTES];
        let attributes = &mut attributes[..MOST_LOCATION_BYTES.min(left as usize)];
        self.file.read_exact_at(attributes, self.locations_start + location).ok()?;
        let is_compressed = attribute(attributes, COMPRESSED_BYTES)? != 0;
        let bytes = attribute(attributes, BYTES)?;
        if is_compressed || bytes > MOST_CLASS_BYTES {
            return None;
        }
        let offset = attribute(attributes, OFFSET)?;
        let mut content = vec![0; bytes as usize];
        self.file.read_exact_at(&mut content, self.contents_start.checked_add(offset)?).ok()?;
        Some(content)
    }

    /// Where a resource is, if it is there at all.
    fn place(&self, resource: &str) -> Option<usize> {
        let length = self.redirects.len();
        let redirect = self.redirects[hash(resource, HASH_SEED) as usize % length];
        match redirect as i32 {
            0 => None,
            seed @ 1.. => Some(hash(resource, seed as u32) as usize % length),
            place => Some((-1 - place) as usize),
        }
    }
}

fn words(file: &File, start: u64, bytes: usize) -> Option<Vec<u32>> {
    let mut read = vec![0; bytes];
    file.read_exact_at(&mut read, start).ok()?;
    let words = read.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]);
    Some(words.map(u32::from_ne_bytes).collect())
}

fn hash(text: &str, seed: u32) -> u32 {
    let hash = text.bytes().fold(seed, |hash, byte| hash.wrapping_mul(HASH_SEED) ^ u32::from(byte));
    hash & 0x7fff_ffff
}

/// The value of an attribute, 0 if the location has none of that kind. Nothing
/// if the location is cut.
fn attribute(location: &[u8], wanted: u8) -> Option<u64> {
    let mut rest = location;
    loop {
        let (&first, after) = rest.split_first()?;
        let (kind, length) = (first >> 3, usize::from(first & 7) + 1);
        if kind == END {
            return Some(0);
        }
        let value = after.get(..length)?;
        if kind == wanted {
            return Some(value.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)));
        }
        rest = &after[length..];
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const CONTENT: &[u8] = b"class file of a.B";

    /// An image with one resource, as the JDK lays it out.
    fn image(compressed_bytes: u8) -> Vec<u8> {
        let location =
            [OFFSET << 3, 3, COMPRESSED_BYTES << 3, compressed_bytes, BYTES << 3, 17, END];
        let strings = b"\0";
        let header = [
            MAGIC,
            VERSION,
            0,
            1,
            1,
            location.len() as u32,
            strings.len() as u32,
            -1_i32 as u32,
            0,
        ];
        let mut bytes: Vec<u8> = header.iter().flat_map(|word| word.to_ne_bytes()).collect();
        bytes.extend_from_slice(&location);
        bytes.extend_from_slice(strings);
        bytes.extend_from_slice(b"...");
        bytes.extend_from_slice(CONTENT);
        bytes
    }

    fn found(image: &[u8]) -> Option<Vec<u8>> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(image).unwrap();
        RuntimeImage::read(file)?.class_of_java_base("a/B")
    }

    #[test]
    fn a_class_is_found_unless_it_is_compressed() {
        assert_eq!(found(&image(0)).as_deref(), Some(CONTENT));
        assert_eq!(found(&image(9)), None);
    }

    #[test]
    fn whatever_is_cut_or_unexpected_is_not_found() {
        let whole = image(0);
        for length in 0..whole.len() {
            assert_eq!(found(&whole[..length]), None, "cut at {length}");
        }
        let mut newer = whole;
        newer[4] ^= 1;
        assert_eq!(found(&newer), None);
    }

    #[test]
    #[allow(clippy::print_stderr)] // to say why it is skipped
    fn classes_of_a_real_jdk_are_what_they_are_called() {
        let Some(home) = crate::jvm::jdk_home() else {
            return eprintln!("skipped: no JDK found, set JAVA_HOME");
        };
        let image = RuntimeImage::open(&home).expect("a JDK has an image");
        for name in ["java/lang/Object", "java/util/Map$Entry", "sun/nio/fs/UnixPath"] {
            let bytes = image.class_of_java_base(name).expect("a JDK has this class");
            let class = residue_classfile::ClassFile::parse(&bytes).unwrap();
            assert_eq!(class.name(), name.as_bytes());
        }
    }
}
