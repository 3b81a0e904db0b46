using CamCube.Testbed;

namespace CamCube.Chaos.Jobs;

/// <summary>Draws a fault for each job from a seed: all kinds in turn, everything else at random; the same of the same
/// seed.</summary>
/// <param name="seed">The seed.</param>
public sealed class JobFaultDraw(ulong seed)
{
    private static readonly JobFaultKind[] Kinds = Enum.GetValues<JobFaultKind>();
    private readonly Random _random = new((int)(seed ^ seed >> 32));
    private int _next;

    /// <summary>The next one.</summary>
    public JobFault Next()
    {
        JobFaultKind kind = Kinds[_next++ % Kinds.Length];
        double at = 0.05 + (0.85 * _random.NextDouble());
        int pick = _random.Next();
        var how = (CutKind)_random.Next(3);
        double part = _random.NextDouble();
        TimeSpan time = kind switch
        {
            JobFaultKind.Stop => TimeSpan.FromSeconds(2 + (8 * part)),
            JobFaultKind.Fill => TimeSpan.FromSeconds(3 + (7 * part)),
            _ => TimeSpan.FromSeconds(3 + (17 * part)),
        };
        return new JobFault(kind, at, pick, how, time);
    }
}
