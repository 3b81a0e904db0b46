using CamCube.Experiments.Generated;
using CamCube.Services.Camdoop;

namespace CamCube.Experiments.Camdoop;

/// <summary>The words of a text, a line each with the number 1, as often as the text has them: map tasks combine what
/// one file has.</summary>
/// <param name="keys">Which words are in which files.</param>
/// <param name="repeats">Words of a file's text, for each different one.</param>
/// <param name="seed">Of their order.</param>
internal sealed class WordsOfText(SharedKeys keys, int repeats, ulong seed) : IShuffleInput
{
    private readonly CountedKeys _counted = new(keys);
    private readonly byte[]?[] _files = new byte[]?[keys.Files];

    /// <inheritdoc/>
    public int Files => keys.Files;

    /// <inheritdoc/>
    public long LengthOf(int file) => BytesOf(file).Length;

    /// <inheritdoc/>
    public Func<Memory<byte>, int> Open(int file)
    {
        int next = 0;
        return to =>
        {
            ReadOnlySpan<byte> left = BytesOf(file).AsSpan(next);
            int length = left.Length <= to.Length ? left.Length : left[..to.Length].LastIndexOf((byte)'\n') + 1;
            left[..length].CopyTo(to.Span);
            next += length;
            return length;
        };
    }

    /// <inheritdoc/>
    public JobDescription Describe(JobDescription job) => _counted.Describe(job);

    /// <inheritdoc/>
    public bool TryRead(ReadOnlySpan<byte> line, ref UInt128 sum) => _counted.TryRead(line, ref sum);

    /// <inheritdoc/>
    public string? WrongOf(long lines, UInt128 sum, IReadOnlyList<int> files)
    {
        long words = files.Sum(file => (long)BytesOf(file).AsSpan().Count((byte)'\n'));
        return sum != (UInt128)(ulong)words ? $"of {words:N0} words {sum} were counted"
            : files.Count == keys.Files && lines != keys.Count
                ? $"of {keys.Count:N0} different words there are {lines:N0}"
            : null;
    }

    private byte[] BytesOf(int file)
    {
        if (_files[file] is { } known)
        {
            return known;
        }

        using var text = new MemoryStream();
        new ZipfText(keys, repeats, seed).Write(file, text);
        using var lines = new MemoryStream();
        ReadOnlySpan<byte> words = text.ToArray();
        foreach (Range word in words.SplitAny((byte)' ', (byte)'\n'))
        {
            if (!words[word].IsEmpty)
            {
                lines.Write("LongValueSum:"u8);
                lines.Write(words[word]);
                lines.Write("\t1\n"u8);
            }
        }

        return _files[file] = lines.ToArray();
    }
}
