using CamCube.Services.Collectives;
using CamCube.Services.Collectives.Folding;
using CamCube.Services.Collectives.Groups;
using CamCube.Services.Collectives.Wire;
using CamCube.Simulator.Swarm;
using CamCube.Trees;

namespace CamCube.Swarm.Collectives;

/// <summary>An operation of a group: what each member gives to it, and what it has to get, follow from its
/// number.</summary>
internal sealed class PlannedOperation
{
    private static readonly OperationKind[] Kinds =
    [
        OperationKind.AllReduce,
        OperationKind.AllReduce,
        OperationKind.AllReduce,
        OperationKind.Reduce,
        OperationKind.Broadcast,
        OperationKind.ReduceScatter,
        OperationKind.AllGather,
        OperationKind.Barrier,
    ];
    private readonly PlannedGroup _group;
    private readonly int _number;
    private readonly OperationKind _kind;
    private readonly ElementType _type;
    private readonly ReduceOperator _operator;
    private readonly int _root;
    private readonly int _length;
    private byte[]? _folded;

    public PlannedOperation(PlannedGroup group, int number)
    {
        (_group, _number) = (group, number);
        Random random = SwarmRandom.Of(group.Settings.Seed, $"operation {group.Name} {number}");
        _kind = Kinds[random.Next(Kinds.Length)];
        _type = (ElementType)random.Next((int)ElementType.Int8, (int)ElementType.BFloat16 + 1);
        int operators = (int)(ElementTypes.IsFloat(_type) ? ReduceOperator.Max : ReduceOperator.Xor);
        _operator = random.Next(2) == 0 ? ReduceOperator.Sum : (ReduceOperator)random.Next(1, operators + 1);
        _root = random.Next(group.Ranks.Length);
        int elements = random.Next(10) switch
        {
            < 3 => random.Next(20),
            < 6 => random.Next(2_000),

            // Long enough for edges to break off in the middle.
            9 => random.Next(60_000),
            _ => random.Next(6_000),
        };
        bool hasParts = _kind is OperationKind.ReduceScatter or OperationKind.AllGather;
        elements = hasParts ? elements / group.Ranks.Length * group.Ranks.Length : elements;
        _length = _kind == OperationKind.Barrier ? 0 : elements * ElementTypes.SizeOf(_type);
    }

    public string Words => $"{_group.Name}, operation {_number}: {_kind} of {_length} bytes, {_operator} of {_type}";

    /// <summary>What a member gives.</summary>
    public byte[] Of(int rank)
    {
        byte[] bytes = new byte[_length];
        SwarmRandom.Of(_group.Settings.Seed, $"vector {_group.Name} {_number} {rank}").NextBytes(bytes);
        return bytes;
    }

    public ValueTask<CollectiveResult> BeginAsync(IGroup group, byte[] bytes) =>
        _kind switch
        {
            OperationKind.AllReduce => group.AllReduceAsync(bytes, _type, _operator),
            OperationKind.Reduce => group.ReduceAsync(_root, bytes, _type, _operator),
            OperationKind.Broadcast => group.BroadcastAsync(_root, bytes),
            OperationKind.ReduceScatter => group.ReduceScatterAsync(bytes, _type, _operator),
            OperationKind.AllGather => group.AllGatherAsync(bytes),
            _ => group.BarrierAsync(),
        };

    /// <summary>Whether a member has what it has to.</summary>
    public bool IsRight(int rank, byte[] bytes)
    {
        int part = _length / _group.Ranks.Length;
        switch (_kind)
        {
            case OperationKind.AllReduce:
            case OperationKind.Reduce when rank == _root:
                return bytes.AsSpan().SequenceEqual(Folded());
            case OperationKind.Reduce:
                return _root != 0 || bytes.AsSpan().SequenceEqual(Of(rank));
            case OperationKind.Broadcast:
                return bytes.AsSpan().SequenceEqual(Of(_root));
            case OperationKind.ReduceScatter:
                return bytes.AsSpan(rank * part, part).SequenceEqual(Folded().AsSpan(rank * part, part));
            case OperationKind.AllGather:
                return Enumerable
                    .Range(0, _group.Ranks.Length)
                    .All(r => bytes.AsSpan(r * part, part).SequenceEqual(Of(r).AsSpan(r * part, part)));
            default:
                return true;
        }
    }

    // Whole numbers: in any order. Fractions: in that of the trees, stripe by stripe, or part by part.
    private byte[] Folded()
    {
        if (_folded is null)
        {
            byte[][] given = [.. Enumerable.Range(0, _group.Ranks.Length).Select(Of)];
            FoldKernel kernel = FoldKernels.Of(_type, _operator)!;
            _folded = ElementTypes.IsFloat(_type) ? ByTrees(given, kernel) : InOrder(given, kernel);
        }

        return _folded;
    }

    private static byte[] InOrder(byte[][] given, FoldKernel kernel)
    {
        byte[] sum = [.. given[0]];
        for (int rank = 1; rank < given.Length; rank++)
        {
            kernel(sum, given[rank]);
        }

        return sum;
    }

    private byte[] ByTrees(byte[][] given, FoldKernel kernel)
    {
        bool isShort = _length <= _group.Settings.Options.ShortBytes,
            hasParts = _kind == OperationKind.ReduceScatter && !isShort && _group.HasParts();
        TreeKind kind =
            hasParts ? TreeKind.Even
            : isShort ? TreeKind.One
            : TreeKind.Six;
        int size = ElementTypes.SizeOf(_type),
            elements = _length / size,
            stripes = hasParts ? given.Length : _group.LinksOf(kind, 0)[0].Length;
        byte[] result = new byte[_length];
        for (int stripe = 0; stripe < stripes; stripe++)
        {
            int from = (int)((long)elements * stripe / stripes) * size,
                to = (int)((long)elements * (stripe + 1) / stripes) * size;
            (int root, int tree) = hasParts ? (stripe, 0) : (0, stripe);
            TreeLinks[][] links = _group.LinksOf(kind, root);
            Below(root).CopyTo(result.AsSpan(from));

            byte[] Below(int rank)
            {
                byte[] sum = given[rank][from..to];
                foreach (TreeLink child in links[rank][tree].Children)
                {
                    kernel(sum, Below(child.Rank));
                }

                return sum;
            }
        }

        return result;
    }
}
