using System.Globalization;

namespace CamCube.Experiments.Churn;

/// <summary>
/// Goes through the logs of all servers in the order of time and compares every delivery with the oracle. One thread.
/// </summary>
internal sealed class Judge(TorusShape shape, RootOracle oracle, ServerLog[] logs)
{
    private const int MostInWords = 10;
    private readonly List<KeyDelivery> _deliveries = [];
    private readonly List<KeyChange> _changes = [];
    private readonly List<string> _inWords = [];
    private readonly long[] _startedNanos = new long[shape.Count];
    private readonly bool[] _isReturning = new bool[shape.Count];
    private double _returnNanos;

    /// <summary>Packets delivered.</summary>
    public long Delivered { get; private set; }

    /// <summary>Those delivered at the wrong server.</summary>
    public long Misdelivered { get; private set; }

    /// <summary>Those delivered where the majority cannot be reached.</summary>
    public long InMinority { get; private set; }

    /// <summary>Returns seen to their end.</summary>
    public int Returns { get; private set; }

    /// <summary>Mean milliseconds from start to keys.</summary>
    public double MeanReturnMillis => Returns == 0 ? 0 : _returnNanos / Returns / 1e6;

    /// <summary>The first misdelivered packets, in words.</summary>
    public IReadOnlyList<string> InWords => _inWords;

    /// <summary>A failed server starts again.</summary>
    public void NoteStart(int rank, long nowNanos) => (_startedNanos[rank], _isReturning[rank]) = (nowNanos, true);

    /// <summary>Judges what has been logged since the last time.</summary>
    public void JudgeNow()
    {
        foreach (ServerLog log in logs)
        {
            _deliveries.AddRange(log.Deliveries);
            _changes.AddRange(log.Changes);
            log.Deliveries.Clear();
            log.Changes.Clear();
        }

        _deliveries.Sort((a, b) => (a.AtNanos, a.Rank).CompareTo((b.AtNanos, b.Rank)));
        _changes.Sort((a, b) => (a.AtNanos, a.Rank).CompareTo((b.AtNanos, b.Rank)));
        int next = 0;
        foreach (KeyDelivery delivery in _deliveries)
        {
            // A server that took its keys delivers what waited for that in the same moment.
            for (; next < _changes.Count && _changes[next].AtNanos <= delivery.AtNanos; next++)
            {
                Apply(_changes[next]);
            }

            Count(delivery);
        }

        for (; next < _changes.Count; next++)
        {
            Apply(_changes[next]);
        }

        _deliveries.Clear();
        _changes.Clear();
    }

    private void Apply(KeyChange change)
    {
        oracle.SetHasKeys(change.Rank, change.HasKeys);
        if (change.HasKeys && _isReturning[change.Rank])
        {
            Returns++;
            _returnNanos += change.AtNanos - _startedNanos[change.Rank];
            _isReturning[change.Rank] = false;
        }
    }

    private void Count(KeyDelivery delivery)
    {
        Delivered++;
        InMinority += oracle.IsInMajority(delivery.Rank) ? 0 : 1;
        int root = oracle.RootOf(delivery.Route, delivery.Rank);
        if (root == delivery.Rank)
        {
            return;
        }

        Misdelivered++;
        if (_inWords.Count < MostInWords)
        {
            double ran = (delivery.AtNanos - _startedNanos[delivery.Rank]) / 1e9;
            _inWords.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{delivery.AtNanos / 1e9:F6} s: key {delivery.Route:x16} at {shape.At(delivery.Rank)}, "
                        + $"which ran for {ran:F6} s; its root was {shape.At(root)}"
                )
            );
        }
    }
}
