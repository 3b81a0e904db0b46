using System.Formats.Tar;
using System.IO.Compression;
using System.Text;
using CamCube.Services.Camdoop.Tasks;

namespace CamCube.Services.Camdoop.Tests.Tasks;

/// <summary>Archives are anybody's: what they may write, and where.</summary>
public sealed class ArchiveTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-archive").FullName;

    private string Into => Path.Combine(_folder, "deep", "into");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("zip")]
    [InlineData("tar")]
    [InlineData("tgz")]
    public void All_of_it_is_there_and_may_be_read_and_run(string kind)
    {
        (string Name, string Text)[] files =
        [
            ("a.sh", "#!/bin/sh\n"),
            ("d/e/f.txt", new string('f', 200_000)),
            ("empty", ""),
        ];
        byte[] bytes =
            kind == "zip" ? Zip(files)
            : kind == "tar" ? Tar([Folder("./"), .. files.Select(File), Link("link", "d/e"), Link("d/up", "../a.sh")])
            : Gzip(Tar([.. files.Select(File), Link("link", "d/e"), Link("d/up", "../a.sh")]));
        Archive archive = Open();
        Assert.Null(archive.Unpack(Put(bytes)));
        Assert.Equal(files.Sum(static f => f.Text.Length), archive.Bytes);
        foreach ((string name, string text) in files)
        {
            Assert.Equal(text, System.IO.File.ReadAllText(Path.Combine(Into, name)));
            Assert.True(
                OperatingSystem.IsWindows()
                    || System.IO.File.GetUnixFileMode(Path.Combine(Into, name)).HasFlag(UnixFileMode.OtherExecute)
            );
        }

        if (kind != "zip")
        {
            Assert.Equal(200_000, System.IO.File.ReadAllText(Path.Combine(Into, "link", "f.txt")).Length);
            Assert.Equal("#!/bin/sh\n", System.IO.File.ReadAllText(Path.Combine(Into, "d", "up")));
        }
    }

    public static TheoryData<string, byte[], string> Hostile() =>
        new()
        {
            { "up", Zip([("../out", "x")]), "has ../out, which would lie outside of its folder" },
            { "deep up", Zip([("a/../../out", "x")]), "has a/../../out, which would lie outside of its folder" },
            {
                "rooted",
                Zip([("/tmp/camcube-out", "x")]),
                "has /tmp/camcube-out, which would lie outside of its folder"
            },
            { "tar up", Tar([File(("../out", "x"))]), "has ../out, which would lie outside of its folder" },
            { "twice", Zip([("a", "1"), ("a", "2")]), "has a twice" },
            { "file and folder", Zip([("a", "1"), ("a/b", "2")]), "has a as a file and as a folder" },
            { "folder and file", Zip([("a/b", "1"), ("a", "2")]), "has a twice" },
            { "long name", Zip([(new string('n', 256), "1")]), "has a file with a name that is too long for a disk" },
            { "itself", Tar([File(("./", "x"))]), "has . twice" },
            { "link out", Tar([Link("l", "../..")]), "has a link l to ../.., which lies outside of its folder" },
            { "link to root", Tar([Link("l", "/etc")]), "has a link l to /etc, which lies outside of its folder" },
            { "link, then through it", Tar([Link("l", "."), File(("l/x", "x"))]), "has l twice" },
            { "link within link", Tar([Link("l", "."), Link("l/x", "y")]), "has a link within a link, l/x" },
            { "two links", Tar([Link("l", "a"), Link("l", "b")]), "has l twice" },
            { "device", Tar([Device("dev")]), "has dev, which is neither file, folder nor link" },
            { "pipe", Tar([new PaxTarEntry(TarEntryType.Fifo, "p")]), "has p, which is neither file, folder nor link" },
            { "bomb", Zip([("zeros", new string('0', 2_000_000))]), "has more than 1,000,000 bytes, with what" },
            {
                "tar bomb",
                Gzip(Tar([File(("zeros", new string('0', 2_000_000)))])),
                "has more than 1,000,000 bytes, with what"
            },
            {
                "many",
                Zip([.. Enumerable.Range(0, 101).Select(static i => ($"f{i}", ""))]),
                "has more than 100 files ("
            },
            { "text", "no archive"u8.ToArray(), "is no archive: a zip, jar, tar, tar.gz or tgz is" },
            { "nothing", [], "is no archive: a zip, jar, tar, tar.gz or tgz is" },
            { "cut zip", Zip([("a", "text"), ("b", "text")])[..^30], "is broken" },
            { "cut tar", Tar([File(("a", new string('a', 5_000)))])[..2_000], "is broken" },
            { "gzip of text", Gzip("no tar in it"u8.ToArray()), "is broken" },
        };

    [Theory]
    [MemberData(nameof(Hostile))]
    public void A_hostile_one_is_refused_in_words_and_writes_nothing_elsewhere(string name, byte[] bytes, string words)
    {
        string? wrong = Open().Unpack(Put(bytes));
        Assert.True(wrong?.StartsWith(words, StringComparison.Ordinal), $"{name}: {wrong}");
        Assert.Equal(["deep", "packed"], Directory.GetFileSystemEntries(_folder).Select(Path.GetFileName).Order());
        Assert.False(System.IO.File.Exists("/tmp/camcube-out"));
    }

    [Fact]
    public void Mutated_archives_are_refused_or_unpacked_and_nothing_else()
    {
        byte[][] sound =
        [
            Zip([("a", "text"), ("d/b", new string('b', 3_000))]),
            Tar([Folder("d/"), File(("d/a", "text")), Link("l", "d/a")]),
            Gzip(Tar([File(("a", new string('a', 3_000)))])),
        ];
        for (int seed = 0; seed < 600; seed++)
        {
            var random = new Random(seed);
            byte[] bytes = [.. sound[seed % sound.Length]];
            for (int i = random.Next(1, 6); i > 0; i--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            bytes = random.Next(4) == 0 ? bytes[..random.Next(bytes.Length)] : bytes;
            _ = Open().Unpack(Put(bytes));
            Assert.Equal(["deep", "packed"], Directory.GetFileSystemEntries(_folder).Select(Path.GetFileName).Order());
            Directory.Delete(Into, recursive: true);
        }
    }

    private static TarEntry Folder(string name) => new PaxTarEntry(TarEntryType.Directory, name);

    private static TarEntry File((string Name, string Text) file) =>
        new PaxTarEntry(TarEntryType.RegularFile, file.Name)
        {
            DataStream = new MemoryStream(Encoding.UTF8.GetBytes(file.Text)),
        };

    private static TarEntry Link(string name, string target) =>
        new PaxTarEntry(TarEntryType.SymbolicLink, name) { LinkName = target };

    private static TarEntry Device(string name) =>
        new PaxTarEntry(TarEntryType.CharacterDevice, name) { DeviceMajor = 1, DeviceMinor = 3 };

    private static byte[] Tar(TarEntry[] entries)
    {
        using var bytes = new MemoryStream();
        using (var tar = new TarWriter(bytes))
        {
            foreach (TarEntry entry in entries)
            {
                tar.WriteEntry(entry);
            }
        }

        return bytes.ToArray();
    }

    private static byte[] Zip((string Name, string Text)[] files)
    {
        using var bytes = new MemoryStream();
        using (var zip = new ZipArchive(bytes, ZipArchiveMode.Create))
        {
            foreach ((string name, string text) in files)
            {
                using Stream to = zip.CreateEntry(name).Open();
                to.Write(Encoding.UTF8.GetBytes(text));
            }
        }

        return bytes.ToArray();
    }

    private static byte[] Gzip(byte[] bytes)
    {
        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.Optimal))
        {
            gzip.Write(bytes);
        }

        return packed.ToArray();
    }

    private Archive Open() => new(Into, mostBytes: 1_000_000, mostFiles: 100);

    private string Put(byte[] bytes)
    {
        string path = Path.Combine(_folder, "packed");
        System.IO.File.WriteAllBytes(path, bytes);
        return path;
    }
}
