using CamCube.Trees;
using static System.Buffers.Binary.BinaryPrimitives;

namespace WordCountSample;

/// <summary>What a vertex has to know: the trees, what its server has itself, and how two counts become one.</summary>
internal sealed class Sum(TreePlan plan, List<(byte[] Word, long Count)> own) : IMergeJob<MergeRequest>
{
    public bool Combines => true;

    public int MostRecord => 256;

    public TreePlan Plan => plan;

    public PullTerms Terms => default;

    public MergeRequest From(in VertexId vertex, MergePosition position) => new(position);

    public IRecordRun Own(in VertexId vertex, MergePosition position, Action more) =>
        new Run(own.FindAll(w => w.Word.AsSpan().SequenceCompareTo(position.Key.Span) > 0));

    public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
    {
        if (left.Length != sizeof(long) || right.Length != sizeof(long))
        {
            return -1;
        }

        WriteInt64LittleEndian(result, ReadInt64LittleEndian(left) + ReadInt64LittleEndian(right));
        return sizeof(long);
    }

    // Who asked is refused then.
    public void Fail(in VertexId vertex, string words) { }

    private sealed class Run(List<(byte[] Word, long Count)> words) : IRecordRun
    {
        private readonly byte[] _count = new byte[sizeof(long)];
        private int _at;

        public bool IsOver => _at >= words.Count;

        public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
        {
            bool isThere = _at < words.Count;
            WriteInt64LittleEndian(_count, isThere ? words[_at].Count : 0);
            key = isThere ? words[_at].Word : default;
            value = _count;
            return isThere;
        }

        public void Take() => _at++;

        public void Dispose() { }
    }
}
