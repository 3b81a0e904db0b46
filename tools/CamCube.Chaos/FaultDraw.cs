using CamCube.Testbed;

namespace CamCube.Chaos;

/// <summary>Draws the faults of a run from its seed, one after the other: the same of the same options.</summary>
public sealed class FaultDraw
{
    // Of 32: how often each kind comes.
    private static readonly (FaultKind Kind, int Weight)[] Kinds =
    [
        (FaultKind.Kill, 10),
        (FaultKind.Stop, 6),
        (FaultKind.Cut, 7),
        (FaultKind.Flap, 3),
        (FaultKind.Fill, 4),
        (FaultKind.Wipe, 2),
    ];

    private readonly TorusShape _shape;
    private readonly TimeSpan _pace;
    private readonly Random _random;
    private TimeSpan _at;

    /// <summary>The faults of a run.</summary>
    public FaultDraw(TorusShape shape, TimeSpan pace, ulong seed)
    {
        (_shape, _pace) = (shape, pace);
        _random = new Random((int)(seed ^ seed >> 32));
    }

    /// <summary>The next one.</summary>
    public Fault Next()
    {
        _at += _pace * (0.5 + _random.NextDouble());
        FaultKind kind = Kind();
        int rank = _random.Next(_shape.Count);
        var links = new List<Link>();
        foreach (Link cabled in _shape.CabledLinks(_shape.At(rank)))
        {
            links.Add(cabled);
        }

        Link link = links[_random.Next(links.Count)];
        var how = (CutKind)_random.Next(3);
        double part = _random.NextDouble();
        TimeSpan time = kind switch
        {
            FaultKind.Kill => TimeSpan.FromSeconds(1 + 19 * part),
            FaultKind.Stop => TimeSpan.FromSeconds(5),
            FaultKind.Cut => TimeSpan.FromSeconds(2 + 28 * part),
            FaultKind.Flap => TimeSpan.FromSeconds(5),
            FaultKind.Fill => TimeSpan.FromSeconds(5 + 25 * part),
            _ => TimeSpan.FromSeconds(1 + 4 * part),
        };
        return new Fault(_at, kind, rank, link, how, time);
    }

    private FaultKind Kind()
    {
        int drawn = _random.Next(Kinds.Sum(kind => kind.Weight));
        foreach ((FaultKind kind, int weight) in Kinds)
        {
            if ((drawn -= weight) < 0)
            {
                return kind;
            }
        }

        throw new InvalidOperationException("The weights are summed up wrongly.");
    }
}
