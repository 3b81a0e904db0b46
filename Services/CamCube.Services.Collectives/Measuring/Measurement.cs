using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Measuring;

/// <summary>A measurement, where it was begun. Loop only.</summary>
/// <param name="terms">What is measured.</param>
/// <param name="nowNanos">When it was begun.</param>
internal sealed class Measurement(MeasureTerms terms, long nowNanos)
{
    public MeasureTerms Terms => terms;

    /// <summary>Sizes that were measured.</summary>
    public List<MeasuredSize> Sizes { get; } = [];

    public MeasurementStage Stage { get; private set; }

    /// <summary>Why it failed, in one line; null: it did not.</summary>
    public string? Words { get; private set; }

    /// <summary>When somebody last asked for it.</summary>
    public long AskedNanos { get; set; } = nowNanos;

    /// <summary>Its group here; null until it is open.</summary>
    public IGroup? Group { get; set; }

    /// <summary>Ends it. Others hear it when its group is closed.</summary>
    /// <param name="why">In one line. Only the first one counts.</param>
    public void Fail(string why)
    {
        if (Stage == MeasurementStage.Running)
        {
            (Stage, Words) = (MeasurementStage.Failed, why);
            Group?.Close();
        }
    }

    /// <summary>Its series has ended here.</summary>
    public void OnEnd(in CollectiveResult result)
    {
        if (result.IsDone && Stage == MeasurementStage.Running)
        {
            Stage = MeasurementStage.Done;
        }
        else
        {
            Fail(result.Words ?? $"{result.Status}");
        }
    }
}
