namespace CamCube.Tool.Commands.Hadoop;

/// <summary>A command of <c>hadoop fs</c>.</summary>
/// <param name="Usage">How it is written.</param>
/// <param name="Does">What it does.</param>
/// <param name="Run">Does it. Answers whether all went well.</param>
internal sealed record FsCommand(string Usage, string Does, Func<FsShell, FsLine, Task<bool>> Run)
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<FsCommand> All { get; } =
    [
        new("-ls [-R] [-h] [PATH...]", "lists files, and what is in directories", FsLook.ListAsync) { Least = 0 },
        new("-mkdir [-p] PATH...", "makes directories; -p: those above them, too", FsChange.MakeDirectoriesAsync),
        new("-put [-f] FILE... PATH", "stores files of this machine; -f: instead of others", FsMove.PutAsync)
        {
            OtherNames = ["-copyFromLocal"],
            Least = 2,
        },
        new("-get [-f] PATH... [FILE]", "fetches files; -f: instead of others", FsMove.GetAsync)
        {
            OtherNames = ["-copyToLocal"],
        },
        new("-cat PATH...", "prints files, byte by byte", FsMove.CatAsync),
        new("-text PATH...", "the same; those called .gz are unpacked", FsMove.TextAsync),
        new("-du [-s] [-h] PATH...", "bytes, bytes with all copies, and paths; -s: in one line", FsLook.UsageAsync),
        new("-touchz PATH...", "makes empty files", FsChange.TouchAsync),
        new("-test -d|-e|-f|-s|-z|-r|-w PATH", "exit code 0 if it is so, 1 if not", FsLook.TestAsync) { Most = 1 },
        new(
            "-rm [-f] [-r|-R] [-skipTrash] PATH...",
            "removes files; -r: directories with all in them; -f: what is not there is no error",
            FsChange.RemoveAsync
        ),
        new("-help", "this list", static (shell, _) => Task.FromResult(shell.Help()))
        {
            OtherNames = ["-usage"],
            Least = 0,
        },
    ];

    /// <summary>Its name.</summary>
    public string Name => Usage.Split(' ')[0];

    /// <summary>Other names of the same.</summary>
    public IReadOnlyList<string> OtherNames { get; init; } = [];

    /// <summary>All names.</summary>
    public IEnumerable<string> Names => OtherNames.Prepend(Name);

    /// <summary>The options that it knows; those that say nothing here are taken, too.</summary>
    public IReadOnlyList<string> Flags => FlagsOf(Name);

    /// <summary>Least paths.</summary>
    public int Least { get; init; } = 1;

    /// <summary>Most paths.</summary>
    public int Most { get; init; } = int.MaxValue;

    private static string[] FlagsOf(string name) =>
        name switch
        {
            "-ls" => ["R", "h", "d", "C", "q"],
            "-mkdir" => ["p"],
            "-put" => ["f", "p", "l", "d"],
            "-get" => ["f", "p", "ignoreCrc", "crc"],
            "-cat" or "-text" => ["ignoreCrc"],
            "-du" => ["s", "h", "v", "x"],
            "-test" => ["d", "e", "f", "s", "z", "r", "w"],
            "-rm" => ["f", "r", "R", "skipTrash"],
            _ => [],
        };
}
