using System.Runtime.InteropServices;

namespace CamCube.Trees.Tests;

/// <summary>A job of which each member has a vector of floating point numbers for each tree, whose sum has other bits
/// in any other order.</summary>
/// <param name="plan">The trees.</param>
/// <param name="elements">Of a tree's vectors.</param>
/// <param name="seed">Of the numbers.</param>
/// <param name="members">Who has vectors; null: all.</param>
public sealed class SumJob(TreePlan plan, int elements, int seed, Coordinate[]? members = null) : IFoldJob<FoldRequest>
{
    private readonly Dictionary<(int Tree, Coordinate At), float[]> _vectors = [];

    public List<string> Failures { get; } = [];

    /// <summary>Vertices that were made, on all servers.</summary>
    public List<FoldingVertex<FoldRequest>> Made { get; } = [];

    public TreePlan Plan => plan;

    public PullTerms Terms { get; init; }

    public int ElementBytes => sizeof(float);

    /// <summary>Whose vector is not there yet.</summary>
    public HashSet<Coordinate> Late { get; } = [];

    /// <summary>A server whose answer has so many bytes less than all others expect.</summary>
    public (Coordinate At, int Bytes) Short { get; init; }

    /// <summary>A mistake that must be found: a child is asked again one element further than the vertex is.</summary>
    public bool Skips { get; init; }

    public long LengthOf(int tree) => (long)elements * sizeof(float);

    public FoldRequest From(in VertexId vertex, long position) =>
        new(Skips && position > 0 ? Math.Min(LengthOf(0), position + sizeof(float)) : position);

    public bool HasOwn(in VertexId vertex) => members?.Contains(vertex.At) != false;

    public ReadOnlySpan<byte> Own(in VertexId vertex, long position) =>
        Late.Contains(vertex.At)
            ? default
            : MemoryMarshal.AsBytes(VectorOf(vertex.Tree, vertex.At).AsSpan())[(int)position..];

    public void Fold(Span<byte> left, ReadOnlySpan<byte> right) =>
        Fold(MemoryMarshal.Cast<byte, float>(left), MemoryMarshal.Cast<byte, float>(right));

    public void Fail(in VertexId vertex, string words) => Failures.Add($"{vertex.At}: {words}");

    /// <summary>The sum of a tree, in its order, or with its children in the opposite one.</summary>
    public float[] Expected(int tree, bool backwards = false) => Sum(tree, plan.Root, backwards)!;

    private float[]? Sum(int tree, Coordinate at, bool backwards)
    {
        float[]? sum = HasOwn(new VertexId(0, 0, 0, (byte)tree, at)) ? [.. VectorOf(tree, at)] : null;
        List<Link> links = [];
        foreach (Link link in plan.Children(tree, at))
        {
            links.Insert(backwards ? 0 : links.Count, link);
        }

        foreach (Link link in links)
        {
            float[] child = Sum(tree, plan.Shape.Step(at, link), backwards)!;
            if (sum is null)
            {
                sum = child;
            }
            else
            {
                Fold(sum, child);
            }
        }

        return sum;
    }

    private static void Fold(Span<float> left, ReadOnlySpan<float> right)
    {
        for (int i = 0; i < left.Length; i++)
        {
            left[i] += right[i];
        }
    }

    private float[] VectorOf(int tree, Coordinate at)
    {
        if (!_vectors.TryGetValue((tree, at), out float[]? vector))
        {
            var random = new Random((seed * 1_000_003) + (tree * 10_007) + plan.Shape.RankOf(at));
            vector = new float[elements];
            for (int i = 0; i < elements; i++)
            {
                vector[i] = (random.NextSingle() - 0.5F) * MathF.Pow(10, random.Next(-6, 7));
            }

            _vectors[(tree, at)] = vector;
        }

        return vector;
    }
}
