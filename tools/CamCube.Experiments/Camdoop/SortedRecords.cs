using System.IO.Hashing;
using CamCube.Experiments.Generated;
using CamCube.Services.Camdoop;

namespace CamCube.Experiments.Camdoop;

/// <summary>Records that are sorted, and nothing else: those of <see cref="SortRecords"/>.</summary>
/// <param name="files">Files.</param>
/// <param name="perFile">Records of each.</param>
/// <param name="seed">Of the records.</param>
internal sealed class SortedRecords(int files, int perFile, ulong seed) : IShuffleInput
{
    /// <inheritdoc/>
    public int Files => files;

    /// <inheritdoc/>
    public long LengthOf(int file) => (long)perFile * SortRecords.Length;

    /// <inheritdoc/>
    public Func<Memory<byte>, int> Open(int file)
    {
        var source = new SortRecords((long)file * perFile, seed);
        int left = perFile;
        return to =>
        {
            int length = 0;
            for (; left > 0 && to.Length - length >= SortRecords.Length; left--, length += SortRecords.Length)
            {
                source.Next(to.Span[length..]);
            }

            return length;
        };
    }

    /// <inheritdoc/>
    public JobDescription Describe(JobDescription job) => job with { Text = new JobText { EndsAtLineFeedOnly = true } };

    /// <inheritdoc/>
    public bool TryRead(ReadOnlySpan<byte> line, ref UInt128 sum)
    {
        // The whole record is its key, and its value is empty.
        if (line.Length != SortRecords.Length || line[^1] != (byte)'\t')
        {
            return false;
        }

        Span<byte> record = stackalloc byte[SortRecords.Length];
        line.CopyTo(record);
        record[^1] = (byte)'\n';
        sum += Crc32.HashToUInt32(record);
        return true;
    }

    /// <inheritdoc/>
    public string? WrongOf(long lines, UInt128 sum, IReadOnlyList<int> files)
    {
        UInt128 expected = 0;
        Span<byte> record = stackalloc byte[SortRecords.Length];
        foreach (int file in files)
        {
            var source = new SortRecords((long)file * perFile, seed);
            for (int i = 0; i < perFile; i++)
            {
                source.Next(record);
            }

            expected += source.Checksum;
        }

        return sum == expected && lines == (long)files.Count * perFile
            ? null
            : $"of {(long)files.Count * perFile:N0} records {lines:N0} came out, or others";
    }
}
