namespace CamCube.Services.KeyValue.Wire;

/// <summary>What requests have in common by their type.</summary>
internal static class RequestTypes
{
    /// <summary>It changes something.</summary>
    public static bool IsChange(this RequestType type) =>
        type is RequestType.Put or RequestType.Delete or RequestType.Batch || type.DependsOnValue();

    /// <summary>What it makes of a key follows from the value that is there.</summary>
    public static bool DependsOnValue(this RequestType type) => type is >= RequestType.Add and <= RequestType.Expire;

    /// <summary>It comes to nothing where there is no value.</summary>
    public static bool NeedsKey(this RequestType type) => type.Deletes() || type == RequestType.Expire;

    /// <summary>It leaves no value.</summary>
    public static bool Deletes(this RequestType type) => type is RequestType.Delete or RequestType.Take;
}
