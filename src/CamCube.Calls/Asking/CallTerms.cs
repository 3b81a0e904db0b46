namespace CamCube.Calls;

/// <summary>What may be done with a call when the cube changes under it.</summary>
/// <param name="IsRead">Answering that nothing is there is never wrong: cut off, it does not wait for the
/// majority.</param>
/// <param name="IsRepeatable">It may be done at another root although an attempt before it may have been done,
/// too.</param>
/// <param name="GoesAsChange">It is meant for one run of one root, and done there at most once. False: it goes to
/// whatever root the way leads to, as often as needed, until one says <see cref="RefusalReason.ComeAsChange"/>.
/// </param>
/// <param name="Length">Bytes that its attempts carry beside their heads.</param>
public readonly record struct CallTerms(bool IsRead, bool IsRepeatable, bool GoesAsChange, int Length);
