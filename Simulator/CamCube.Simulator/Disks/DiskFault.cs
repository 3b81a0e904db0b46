using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>One kind of disturbance of simulated disks. Immutable. Put into force with
/// <see cref="DiskFaultRules.Add"/>.</summary>
public abstract record DiskFault
{
    private protected DiskFault() { }

    /// <summary>Says what becomes of one operation, on top of what earlier rules said.</summary>
    internal virtual void Decide(ref DiskDecision decision, ref FaultRandom random, DiskOperation operation) { }

    /// <summary>Whether there is no room for more.</summary>
    internal virtual bool Fills => false;

    /// <summary>Power failed: whether a write that was not synced survives whole.</summary>
    internal virtual bool Survives(ref FaultRandom random) => false;

    /// <summary>Power failed: whether a write that does not survive whole survives in part.</summary>
    internal virtual bool Tears(ref FaultRandom random) => false;

    /// <summary>Power failed: whether a file is gone.</summary>
    internal virtual bool Loses(ref FaultRandom random) => false;

    private protected static double CheckProbability(double probability)
    {
        if (!(probability >= 0 && probability <= 1))
        {
            throw new ArgumentOutOfRangeException(nameof(probability), probability, "A probability is from 0 to 1.");
        }

        return probability;
    }
}
