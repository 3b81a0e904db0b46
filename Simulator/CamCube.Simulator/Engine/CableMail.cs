namespace CamCube.Simulator.Engine;

/// <summary>
/// Packets that leave one partition for another within a window. The sender writes one half while the receiver reads
/// what the window before left in the other; the barrier between windows changes the halves over.
/// </summary>
internal sealed class CableMail
{
    private readonly Half[] _halves = [new Half(), new Half()];

    public void Add(int half, Packet packet, int inLink)
    {
        Half to = _halves[half];
        if (to.Count == to.Letters.Length)
        {
            Array.Resize(ref to.Letters, to.Count * 2);
        }

        to.Letters[to.Count++] = new Letter(packet, inLink);
    }

    /// <summary>What was sent in the window before, in order. Valid until <see cref="Clear"/>.</summary>
    public ReadOnlySpan<Letter> Read(int half) => _halves[half].Letters.AsSpan(0, _halves[half].Count);

    public void Clear(int half) => _halves[half].Count = 0;

    public readonly record struct Letter(Packet Packet, int InLink);

    // Objects of their own, far enough from each other that the two threads do not write to one cache line.
    private sealed class Half
    {
        public Letter[] Letters = new Letter[64];
        public int Count;
    }
}
