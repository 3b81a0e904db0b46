namespace CamCube.Services.Camdoop;

/// <summary>Bytes of a job's pairs over a cable, in one direction.</summary>
/// <param name="Server">Who sent.</param>
/// <param name="Link">Over which of its links.</param>
/// <param name="Sent">Bytes that were taken at the other end.</param>
/// <param name="Unaggregated">What the same pairs would have been if nothing were combined on the way.</param>
public readonly record struct LinkLoad(Coordinate Server, Link Link, long Sent, long Unaggregated);
