namespace CamCube.Services.Camdoop;

/// <summary>The keys that most pairs have, before any is combined. It is a sketch of bounded size: a key that has more
/// than <see cref="Error"/> pairs is in it for certain, and none has more pairs than it says.</summary>
/// <param name="Pairs">All pairs.</param>
/// <param name="Error">By how many pairs a number may be too low: at most a 129th of all.</param>
/// <param name="Heaviest">The heaviest that are known, heaviest first; at most
/// <see cref="JobReport.MostKeys"/>.</param>
public sealed record KeySkew(long Pairs, long Error, IReadOnlyList<HeavyKey> Heaviest);
