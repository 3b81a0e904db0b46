namespace CamCube.Tool.Hosts;

/// <summary>What came of a load.</summary>
/// <param name="Seconds">How long it went on.</param>
/// <param name="Clients">Clients at once.</param>
/// <param name="Servers">Front ends that they were spread over.</param>
/// <param name="Puts">Pictures that were stored.</param>
/// <param name="Gets">Pictures, or variants, that were read.</param>
/// <param name="Pending">Puts whose variants were not there yet.</param>
/// <param name="Failed">Requests that ended otherwise, by status; <c>none</c>: there was no answer.</param>
/// <param name="Wrong">Reads that brought something else than was put: a bug.</param>
/// <param name="Kept">Images that are there still.</param>
internal sealed record ImagesLoadResult(
    double Seconds,
    int Clients,
    int Servers,
    LoadTimes Puts,
    LoadTimes Gets,
    int Pending,
    IReadOnlyDictionary<string, int> Failed,
    int Wrong,
    int Kept
);
