namespace CamCube.Services.Camdoop.Records;

/// <summary>Sorted records of one map task, group by group. Immutable.</summary>
/// <param name="bytes">All records.</param>
/// <param name="groups">The groups that have any, in order.</param>
internal sealed class SortedRun(byte[] bytes, RunGroup[] groups)
{
    /// <summary>All records.</summary>
    public ReadOnlyMemory<byte> Bytes => bytes;

    /// <summary>The groups that have any, in order.</summary>
    public IReadOnlyList<RunGroup> Groups => groups;

    /// <summary>Where the records of a group are. Any thread.</summary>
    public Range RangeOf(int group)
    {
        (long from, long to) = OffsetsOf(group, bytes.Length);
        return (int)from..(int)to;
    }

    /// <summary>The same, without the bytes.</summary>
    /// <param name="group">The group.</param>
    /// <param name="length">Bytes of the run.</param>
    public (long From, long To) OffsetsOf(int group, long length)
    {
        int low = 0;
        int high = groups.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            if (groups[middle].Group == group)
            {
                return (groups[middle].At, middle + 1 < groups.Length ? groups[middle + 1].At : length);
            }

            (low, high) = groups[middle].Group < group ? (middle + 1, high) : (low, middle - 1);
        }

        return default;
    }

    /// <summary>Adds the bytes that each group has.</summary>
    /// <param name="sizes">Bytes of each group.</param>
    /// <param name="length">Bytes of the run.</param>
    public void AddSizes(Span<long> sizes, long length)
    {
        for (int i = 0; i < groups.Length; i++)
        {
            long to = i + 1 < groups.Length ? groups[i + 1].At : length;
            sizes[groups[i].Group] += to - groups[i].At;
        }
    }

    /// <summary>Only where its groups are: its bytes are kept elsewhere.</summary>
    public SortedRun WithoutBytes() => new([], groups);
}
