using CamCube.Loads.Choosing;

namespace CamCube.Loads.Operations;

/// <summary>One operation.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Number">Of the record.</param>
/// <param name="Turn">Which value it puts.</param>
internal readonly record struct LoadOperation(OperationKind Kind, long Number, long Turn)
{
    /// <summary>Its key is that of a number beside the records.</summary>
    public bool IsCounter { get; init; }
}
