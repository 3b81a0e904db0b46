namespace CamCube.Services.Camdoop.Records;

/// <summary>When pairs are sorted, and what is too long to be one.</summary>
/// <param name="SortBytes">Bytes of records that are sorted at once, with what is kept of each: a property of the job,
/// so that every attempt cuts at the same pairs.</param>
/// <param name="MostRecord">Bytes of the longest record.</param>
internal readonly record struct SortLimits(int SortBytes, int MostRecord);
