using CamCube.Simulator.Swarm;
using CamCube.Trees;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Swarm.Trees;

/// <summary>
/// One job of a run, a function of the run's seed and its number: trees, and records of each server for each of them.
/// Where records are combined a value is a map x → ax + b, and two of them are done one after the other: that is
/// associative and nothing else, so a wrong order is seen. Zeros behind it make values as long as others.
/// </summary>
public sealed class TreeJob : IMergeJob<MergeRequest>
{
    private const int MapLength = 2 * sizeof(ulong);
    private readonly TreeSettings _settings;
    private readonly TreeMistake _mistake;
    private readonly ulong _number;
    private readonly int _words;
    private readonly Dictionary<(byte Tree, Coordinate At), List<TreeRecord>> _records = [];
    private readonly Dictionary<byte, List<TreeRecord>> _expected = [];
    private int _made;

    /// <summary>A job.</summary>
    public TreeJob(TreeSettings settings, ulong number, TreeMistake mistake)
    {
        (_settings, _number, _mistake) = (settings, number, mistake);
        Random random = SwarmRandom.Of(settings.Seed, $"tree job {number}");
        TorusShape shape = settings.Shape;
        Coordinate[] members =
            random.Next(3) == 0
                ? [.. Enumerable.Range(0, random.Next(1, 6)).Select(_ => shape.At(random.Next(shape.Count)))]
                : [];
        Coordinate root = shape.At(random.Next(shape.Count));
        Plan = TreePlan.Create(shape, root, (TreeKind)random.Next(3), members, random.Next(TreePlan.Ways));
        Combines = random.Next(2) == 0;
        _words = random.Next(1, 200);
        Terms = new PullTerms
        {
            Channel = (ushort)(1 + (number % 4)),
            Weight = random.Next(1, 4),
            LeastCredit = settings.LeastCredit,
        };
    }

    /// <inheritdoc/>
    public bool Combines { get; }

    /// <inheritdoc/>
    public int MostRecord => _settings.MostRecord;

    /// <inheritdoc/>
    public TreePlan Plan { get; }

    /// <inheritdoc/>
    public PullTerms Terms { get; }

    /// <summary>What it failed for; null: it has not.</summary>
    public string? Failure { get; private set; }

    /// <inheritdoc/>
    public MergeRequest From(in VertexId vertex, MergePosition position) => new(position);

    /// <inheritdoc/>
    public IRecordRun Own(in VertexId vertex, MergePosition position, Action more)
    {
        List<TreeRecord> records = RecordsOf(vertex.Tree, vertex.At);
        int start = 0;
        if (!position.IsBeginning)
        {
            bool isBehind = Combines && _mistake != TreeMistake.ResumesAt;
            start = records.FindIndex(r =>
                r.Key.AsSpan().SequenceCompareTo(position.Key.Span) is var order && (isBehind ? order > 0 : order >= 0)
            );
            start = start < 0 ? records.Count : start;
        }

        if (_mistake == TreeMistake.AnyOrder && ++_made % 2 == 0)
        {
            // Equal keys in another order, as if they had arrived so.
            records = [.. records[start..].GroupBy(r => r.Word).OrderBy(g => g.Key).SelectMany(g => g.Reverse())];
            start = 0;
        }

        return new TreeRun(records, start);
    }

    /// <inheritdoc/>
    public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
    {
        (ulong leftA, ulong leftB) = (ReadUInt64LittleEndian(left), ReadUInt64LittleEndian(left[sizeof(ulong)..]));
        (ulong rightA, ulong rightB) = (ReadUInt64LittleEndian(right), ReadUInt64LittleEndian(right[sizeof(ulong)..]));
        WriteUInt64LittleEndian(result, unchecked(leftA * rightA));
        WriteUInt64LittleEndian(result[sizeof(ulong)..], unchecked((leftA * rightB) + leftB));
        int length = Math.Max(left.Length, right.Length);
        result[MapLength..length].Clear();
        return length;
    }

    /// <inheritdoc/>
    public void Fail(in VertexId vertex, string words) => Failure ??= $"tree {vertex.Tree}, {vertex.At}: {words}";

    /// <summary>What the root of a tree gives, from the first record on.</summary>
    public List<TreeRecord> ExpectedOf(byte tree)
    {
        if (_expected.TryGetValue(tree, out List<TreeRecord>? known))
        {
            return known;
        }

        List<TreeRecord> all = [.. InOrder(tree, Plan.Root).OrderBy(static r => r.Word)];
        if (Combines)
        {
            all =
            [
                .. all.GroupBy(static r => r.Word)
                    .Select(g => g.Aggregate((left, right) => left with { Value = Combined(left, right) })),
            ];
        }

        return _expected[tree] = all;
    }

    private byte[] Combined(TreeRecord left, TreeRecord right)
    {
        byte[] result = new byte[MostRecord];
        return result[..Combine(left.Key, left.Value, right.Value, result)];
    }

    // Children in the order of their links, the server's own behind them.
    private IEnumerable<TreeRecord> InOrder(byte tree, Coordinate at)
    {
        List<TreeRecord> all = [];
        foreach (Link link in Plan.Children(tree, at))
        {
            all.AddRange(InOrder(tree, _settings.Shape.Step(at, link)));
        }

        all.AddRange(RecordsOf(tree, at));
        return all;
    }

    private List<TreeRecord> RecordsOf(byte tree, Coordinate at)
    {
        if (_records.TryGetValue((tree, at), out List<TreeRecord>? known))
        {
            return known;
        }

        Random random = SwarmRandom.Of(_settings.Seed, $"tree records {_number} {tree} {at}");
        List<TreeRecord> records = [];
        for (int count = random.Next(_settings.MostRecords + 1); count > 0; count--)
        {
            int word = random.Next(4) == 0 ? 0 : random.Next(_words);
            byte[] key = new byte[sizeof(int) + (word % 7)];
            WriteInt32BigEndian(key, word + 1);
            int most = MostRecord - key.Length - RecordFormat.MostHead;
            byte[] value = new byte[Combines ? random.Next(MapLength, most + 1) : random.Next(most + 1)];
            random.NextBytes(Combines ? value.AsSpan(0, MapLength) : value);
            records.Add(new TreeRecord(word, key, value));
        }

        return _records[(tree, at)] = [.. records.OrderBy(static r => r.Word)];
    }

    private sealed class TreeRun(List<TreeRecord> records, int start) : IRecordRun
    {
        private int _at = start;

        public bool IsOver => _at >= records.Count;

        public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
        {
            bool isHere = _at < records.Count;
            key = isHere ? records[_at].Key : default;
            value = isHere ? records[_at].Value : default;
            return isHere;
        }

        public void Take() => _at++;

        public void Dispose() { }
    }
}
