using System.Buffers.Text;
using CamCube.Experiments.Generated;
using CamCube.Services.Camdoop;

namespace CamCube.Experiments.Camdoop;

/// <summary>Keys with the number 1 each, whose numbers are summed up.</summary>
/// <param name="keys">What is in the files.</param>
internal sealed class CountedKeys(SharedKeys keys) : IShuffleInput
{
    private const int PrefixLength = 13;

    /// <inheritdoc/>
    public int Files => keys.Files;

    /// <inheritdoc/>
    public long LengthOf(int file)
    {
        Span<byte> key = stackalloc byte[keys.MostBytes];
        long length = 0;
        foreach (int number in keys.OfFile(file))
        {
            length += PrefixLength + keys.WriteKey(number, key) + "\t1\n".Length;
        }

        return length;
    }

    /// <inheritdoc/>
    public Func<Memory<byte>, int> Open(int file)
    {
        int next = 0;
        return to =>
        {
            Span<byte> line = stackalloc byte[PrefixLength + keys.MostBytes + 3];
            "LongValueSum:"u8.CopyTo(line);
            ReadOnlySpan<int> numbers = keys.OfFile(file);
            int length = 0;
            for (; next < numbers.Length && to.Length - length > line.Length; next++)
            {
                int end = PrefixLength + keys.WriteKey(numbers[next], line[PrefixLength..]);
                "\t1\n"u8.CopyTo(line[end..]);
                line[..(end + 3)].CopyTo(to.Span[length..]);
                length += end + 3;
            }

            return length;
        };
    }

    /// <inheritdoc/>
    public JobDescription Describe(JobDescription job) =>
        job with
        {
            Combine = new JobFunction(JobFunctionKind.Aggregate),
            Reduce = new JobFunction(JobFunctionKind.Aggregate),
        };

    /// <inheritdoc/>
    public bool TryRead(ReadOnlySpan<byte> line, ref UInt128 sum)
    {
        int tab = line.IndexOf((byte)'\t');
        bool isRight = Utf8Parser.TryParse(line[(tab + 1)..], out long number, out int used);
        sum += (UInt128)(ulong)number;
        return isRight && tab > 0 && used == line.Length - tab - 1;
    }

    /// <inheritdoc/>
    public string? WrongOf(long lines, UInt128 sum, IReadOnlyList<int> files)
    {
        long entries = files.Sum(file => (long)keys.OfFile(file).Length);
        return sum != (UInt128)(ulong)entries ? $"of {entries:N0} keys {sum} were counted"
            : files.Count == keys.Files && lines != keys.Count
                ? $"of {keys.Count:N0} different keys there are {lines:N0}"
            : null;
    }
}
