using CamCube.Services.Files;

namespace CamCube.Experiments.Camdoop;

/// <summary>
/// What a cube's file store has in figures of MapReduce: input that is made as it is read, where it lies; output that
/// is looked at and not kept; and small files that are. So time is the jobs' alone, and memory is not the input's. One
/// thread, the cube's.
/// </summary>
/// <param name="input">What input is, and knows lines of output.</param>
internal sealed class MadeFiles(IShuffleInput input)
{
    private readonly Dictionary<string, byte[]> _kept = new(StringComparer.Ordinal);
    private readonly Dictionary<string, MadeInput> _inputs = new(StringComparer.Ordinal);
    private readonly List<MadeOutput> _outputs = [];

    /// <summary>Output that was begun, in the order of its beginnings; of attempts that were given up, too.</summary>
    public IReadOnlyList<MadeOutput> Outputs => _outputs;

    /// <summary>Adds a file of input.</summary>
    public void Add(MadeInput made) => _inputs.Add(made.Path, made);

    /// <summary>What there is of a path.</summary>
    public FileEntry? Find(string path)
    {
        if (_inputs.TryGetValue(path, out MadeInput? made))
        {
            return new FileEntry(path, IsDirectory: false) { Length = made.Length, Chunks = 1 };
        }

        if (_kept.TryGetValue(path, out byte[]? bytes))
        {
            return new FileEntry(path, IsDirectory: false) { Length = bytes.Length };
        }

        string below = path == FilePath.Root ? path : path + '/';
        return _kept.Keys.Concat(_inputs.Keys).Any(name => name.StartsWith(below, StringComparison.Ordinal))
            ? new FileEntry(path, IsDirectory: true)
            : null;
    }

    /// <summary>A file of input.</summary>
    public MadeInput? InputOf(string path) => _inputs.GetValueOrDefault(path);

    /// <summary>A small file.</summary>
    public byte[] Read(string path) => _kept[path];

    /// <summary>Keeps a small file. False: there is one of this name.</summary>
    public bool Keep(string path, byte[] bytes) => _kept.TryAdd(path, bytes);

    /// <summary>Begins output.</summary>
    public MadeOutput Begin(string path, Coordinate? at, long nanos)
    {
        var output = new MadeOutput(input, path, at, nanos);
        _outputs.Add(output);
        return output;
    }

    /// <summary>Deletes a small file, or all in a directory.</summary>
    public bool Delete(string path) =>
        _kept
            .Keys.Where(name => name == path || name.StartsWith(path + '/', StringComparison.Ordinal))
            .ToArray()
            .Count(_kept.Remove) > 0;

    /// <summary>Files in a directory.</summary>
    public IEnumerable<FileEntry> List(string directory) =>
        _kept
            .Keys.Concat(_inputs.Keys)
            .Where(name => name.StartsWith(directory + '/', StringComparison.Ordinal))
            .Select(name => FilePath.Join(directory, name[(directory.Length + 1)..].Split('/')[0]))
            .Distinct(StringComparer.Ordinal)
            .Select(name => Find(name)!);
}
