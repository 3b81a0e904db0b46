namespace CamCube.Services.KeyValue;

/// <summary>The end of a batch.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Version">Done: the version that every key has now that it changed. Conflict, NotFound, TooLarge,
/// NotANumber, Overflow: that of the key of the step that failed, before the batch; 0: there is none.</param>
/// <param name="Failed">The step that was the reason against it, from 0: the first whose condition does not hold; if
/// all hold, the first change that cannot be made. -1: none of them was.</param>
/// <param name="Copies">Servers that have it on their disks now.</param>
/// <param name="Hops">Hops that the request made to the server that answered it.</param>
public readonly record struct KeyValueBatchAnswer(
    KeyValueStatus Status,
    ulong Version = 0,
    int Failed = -1,
    int Copies = 0,
    int Hops = 0
);
