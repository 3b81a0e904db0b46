namespace CamCube.Calls.Tests.Ledgers;

/// <summary>What a ledger holds for a class of keys.</summary>
public sealed class Sums
{
    public Dictionary<Key, long> ByKey { get; } = [];

    public bool IsEnded { get; private set; }

    /// <summary>Makes and ends them.</summary>
    public sealed class Kind : IHeld<Sums>
    {
        public int Ended { get; private set; }

        public int Emptied { get; private set; }

        public Sums Begin() => new();

        public void End(Sums held, bool isEmptied)
        {
            Assert.False(held.IsEnded, "It was ended before.");
            held.IsEnded = true;
            Ended++;
            Emptied += isEmptied ? 1 : 0;
        }
    }
}
