using System.Runtime.InteropServices;
using CamCube.Services.Collectives;

namespace CamCube.Experiments.Collectives;

/// <summary>One operation of all members: what they give, what they should have then, and how it ended.</summary>
/// <param name="kind">Which operation.</param>
/// <param name="members">How many members.</param>
/// <param name="values">Elements repeat after so many.</param>
/// <param name="beganNanos">When.</param>
internal sealed class CollectiveCourse(CollectiveKind kind, int members, int values, long beganNanos)
{
    private readonly byte[][] _buffers = new byte[members][];

    /// <summary>When it began, in virtual nanoseconds.</summary>
    public long BeganNanos => beganNanos;

    /// <summary>When it ended at the last member.</summary>
    public long LastNanos { get; private set; }

    /// <summary>At how many members it has ended.</summary>
    public int Ended => Results.Count;

    /// <summary>How, by server.</summary>
    public Dictionary<int, CollectiveResult> Results { get; } = [];

    /// <summary>What a member gives.</summary>
    public byte[] Fill(int member, int bytes)
    {
        _buffers[member] = new byte[bytes];
        Span<float> elements = MemoryMarshal.Cast<byte, float>(_buffers[member].AsSpan());
        int part = elements.Length / members;
        for (int i = 0; i < elements.Length; i++)
        {
            bool isOthers = kind switch
            {
                CollectiveKind.Broadcast => member != 0,
                CollectiveKind.AllGather => i / part != member,
                _ => false,
            };
            elements[i] = isOthers ? 0 : Given(member, i);
        }

        return _buffers[member];
    }

    /// <summary>Calls it.</summary>
    public ValueTask<CollectiveResult> CallAsync(IGroup group, byte[] buffer) =>
        kind switch
        {
            CollectiveKind.AllReduce => group.AllReduceAsync(buffer, ElementType.Float32, ReduceOperator.Sum),
            CollectiveKind.Reduce => group.ReduceAsync(0, buffer, ElementType.Float32, ReduceOperator.Sum),
            CollectiveKind.Broadcast => group.BroadcastAsync(0, buffer),
            CollectiveKind.ReduceScatter => group.ReduceScatterAsync(buffer, ElementType.Float32, ReduceOperator.Sum),
            CollectiveKind.AllGather => group.AllGatherAsync(buffer),
            _ => group.BarrierAsync(),
        };

    /// <summary>It has ended at a server.</summary>
    public void End(int rank, CollectiveResult result, long nanos) =>
        (Results[rank], LastNanos) = (result, Math.Max(LastNanos, nanos));

    /// <summary>Looks at what the members have.</summary>
    /// <exception cref="ExperimentException">It is wrong.</exception>
    public void Check()
    {
        float[] sums = new float[values];
        for (int i = 0; i < values; i++)
        {
            sums[i] = Enumerable.Range(0, members).Sum(member => Given(member, i));
        }

        for (int member = 0; member < members; member++)
        {
            ReadOnlySpan<float> elements = MemoryMarshal.Cast<byte, float>(_buffers[member]);
            int part = elements.Length / members;
            (int from, int to) = kind switch
            {
                CollectiveKind.Reduce when member != 0 => (0, 0),
                CollectiveKind.ReduceScatter => (member * part, (member + 1) * part),
                _ => (0, elements.Length),
            };
            for (int i = from; i < to; i++)
            {
                float right = kind switch
                {
                    CollectiveKind.Broadcast => Given(0, i),
                    CollectiveKind.AllGather => Given(i / part, i),
                    _ => sums[i % values],
                };
                if (elements[i] != right)
                {
                    throw new ExperimentException(
                        $"{kind}: element {i} of member {member} is {elements[i]} instead of {right}."
                    );
                }
            }
        }
    }

    private float Given(int member, int element) => (element + (7 * member)) % values;
}
