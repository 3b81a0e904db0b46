using System.Runtime.InteropServices;

namespace CamCube.Trees.Tests;

/// <summary>Who has a tree's sum: bytes as they come, at a pace.</summary>
public sealed class SumSink : IPullSink<FoldRequest>
{
    private readonly List<byte> _bytes = [];

    public PullInput<FoldRequest>? Pull { get; set; }

    public List<PullRefusal> Refusals { get; } = [];

    /// <summary>Bytes that it takes before it takes no more; for as long as nobody says otherwise.</summary>
    public int Takes { get; set; } = int.MaxValue;

    /// <summary>From where it asks at first.</summary>
    public long Begin { get; init; }

    public bool IsWhole { get; private set; }

    public float[] Sum => [.. MemoryMarshal.Cast<byte, float>(CollectionsMarshal.AsSpan(_bytes))];

    public int Count => _bytes.Count;

    /// <summary>Takes so many more.</summary>
    public void Take(int more)
    {
        Takes = (int)Math.Min(int.MaxValue, (long)Takes + more);
        OnReadable(Pull!);
    }

    public FoldRequest From(PullInput<FoldRequest> input) =>
        new(Begin + (_bytes.Count - (_bytes.Count % sizeof(float))));

    public void OnReadable(PullInput<FoldRequest> input)
    {
        while (_bytes.Count < Takes && input.Peek() is { IsEmpty: false } piece)
        {
            // Whole elements, so that it never goes on within one.
            int count = Math.Min(piece.Length, Takes - _bytes.Count);
            Span<byte> taken = new byte[Math.Min(input.Readable, Math.Max(sizeof(float), count - (count % 4)))];
            if (taken.Length % sizeof(float) != 0)
            {
                return;
            }

            input.Peek(0, taken);
            _bytes.AddRange(taken);
            input.Consume(taken.Length);
        }

        IsWhole |= input.IsWhole;
    }

    public bool OnRefused(PullInput<FoldRequest> input, PullRefusal why)
    {
        Refusals.Add(why);
        return why is PullRefusal.Unknown or PullRefusal.NoRoom;
    }
}
