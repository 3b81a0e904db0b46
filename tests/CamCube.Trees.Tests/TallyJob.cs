using System.Globalization;
using System.Text;

namespace CamCube.Trees.Tests;

/// <summary>A job whose input is a function of the server, the tree and its seed: counts by word, or words with where
/// they are from.</summary>
public sealed class TallyJob(TreePlan plan, bool combines, int words, int seed) : IMergeJob<MergeRequest>
{
    public const int MostBytes = 200;

    public List<string> Failures { get; } = [];

    /// <summary>Vertices of it that were made, on all servers.</summary>
    public int Made { get; set; }

    public bool Combines => combines;

    public int MostRecord => MostBytes;

    public TreePlan Plan => plan;

    public PullTerms Terms { get; init; }

    /// <summary>Sums have zeros before them, so many digits in all.</summary>
    public int Pads { get; init; }

    /// <summary>What it says of a combined value's length, whatever that is; null: the truth.</summary>
    public int? Says { get; init; }

    /// <summary>A mistake that must be found: it goes on at its position, and not behind it.</summary>
    public bool ResumesAt { get; init; }

    /// <summary>Gives some server's records, of some tree; null: as <see cref="RecordsOf"/> says.</summary>
    public Func<VertexId, List<(string Key, string Value)>>? Instead { get; init; }

    public MergeRequest From(in VertexId vertex, MergePosition position) => new(position);

    /// <summary>Every third record of a server's own is here only after this has run what it is given; null: all are
    /// here.</summary>
    public Action<Action>? Later { get; set; }

    /// <summary>Values are combined off the loop.</summary>
    public bool CombinesLater { get; init; }

    /// <summary>It is to have that.</summary>
    public bool IsSlow { get; init; }

    public IRecordRun Own(in VertexId vertex, MergePosition position, Action more) =>
        new Run(
            (Instead?.Invoke(vertex) ?? RecordsOf(vertex.Tree, vertex.At)).FindAll(r =>
                position.IsBeginning
                || string.CompareOrdinal(r.Key, Encoding.UTF8.GetString(position.Key.Span)) is var order
                    && (order > 0 || (order == 0 && (!combines || ResumesAt)))
            ),
            Later,
            more
        );

    public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
    {
        long sum = Number(left) + Number(right);
        string digits = sum.ToString(CultureInfo.InvariantCulture).PadLeft(Pads, '0');
        return Says ?? (Encoding.UTF8.TryGetBytes(digits, result, out int length) ? length : -1);
    }

    public void Fail(in VertexId vertex, string words) => Failures.Add($"{vertex.At}: {words}");

    /// <summary>What a server has to give to a tree, in order.</summary>
    public List<(string Key, string Value)> RecordsOf(int tree, Coordinate at)
    {
        var random = new Random((seed * 1_000_003) + (tree * 10_007) + plan.Shape.RankOf(at));
        List<(string Key, string Value)> records = [];
        for (int word = 0; word < words; word++)
        {
            for (int copy = random.Next(4); copy > 0; copy--)
            {
                // Few words are everywhere, and one is most of what there is.
                string key = word % 7 == 0 ? "the" : $"word {word:0000}";
                string value = combines
                    ? $"{random.Next(1_000)}"
                    : $"{at} {tree} {word} {copy} {new string('.', word % 90)}";
                records.Add((key, value));
            }
        }

        return [.. records.OrderBy(r => r.Key, StringComparer.Ordinal)];
    }

    /// <summary>What the root has to get of a tree, if nothing is lost or doubled; equal keys in any order.</summary>
    public List<(string Key, string Value)> Expected(int tree)
    {
        var all = Enumerable
            .Range(0, plan.Shape.Count)
            .Select(plan.Shape.At)
            .Where(at => plan.Contains(tree, at))
            .SelectMany(at => Instead?.Invoke(new VertexId(0, 0, 0, (byte)tree, at)) ?? RecordsOf(tree, at));
        return combines
            ?
            [
                .. all.GroupBy(r => r.Key)
                    .Select(g => (g.Key, $"{g.Sum(r => long.Parse(r.Value, CultureInfo.InvariantCulture))}"))
                    .OrderBy(r => r.Key, StringComparer.Ordinal),
            ]
            : [.. all.OrderBy(r => r.Key, StringComparer.Ordinal).ThenBy(r => r.Value, StringComparer.Ordinal)];
    }

    private static long Number(ReadOnlySpan<byte> text) => long.Parse(text, CultureInfo.InvariantCulture);

    private sealed class Run(List<(string Key, string Value)> records, Action<Action>? later, Action more) : IRecordRun
    {
        private readonly List<(byte[] Key, byte[] Value)> _records =
        [
            .. records.Select(r => (Encoding.UTF8.GetBytes(r.Key), Encoding.UTF8.GetBytes(r.Value))),
        ];
        private int _at;
        private int _here;

        public bool IsOver => _at >= _records.Count;

        public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
        {
            bool isHere = _at < _records.Count;
            if (isHere && later is not null && _at % 3 == 0 && _here <= _at)
            {
                // Asked for once.
                key = value = default;
                if (_here >= 0)
                {
                    _here = -1;
                    later(() =>
                    {
                        _here = _at + 1;
                        more();
                    });
                }

                return false;
            }

            key = isHere ? _records[_at].Key : default;
            value = isHere ? _records[_at].Value : default;
            return isHere;
        }

        public void Take() => _at++;

        public void Dispose() => _at = _records.Count;
    }
}
