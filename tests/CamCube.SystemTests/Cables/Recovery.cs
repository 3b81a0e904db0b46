using System.Globalization;

namespace CamCube.SystemTests.Cables;

/// <summary>How long something kept keys from being written, from when it happened.</summary>
/// <param name="Failed">Until the last write that failed was answered.</param>
/// <param name="Usable">Until the first round of writes of which none failed began.</param>
/// <param name="Written">Until that round was done.</param>
internal readonly record struct Recovery(TimeSpan Failed, TimeSpan Usable, TimeSpan Written)
{
    /// <summary>For people.</summary>
    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Usable.TotalSeconds:F2} s (last failure {Failed.TotalSeconds:F2} s, "
                + $"all written {Written.TotalSeconds:F2} s)"
        );
}
