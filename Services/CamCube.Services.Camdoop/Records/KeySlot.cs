namespace CamCube.Services.Camdoop.Records;

/// <summary>Where a key goes in a <see cref="KeyTable"/>.</summary>
/// <param name="At">The slot.</param>
/// <param name="Hash">Its hash.</param>
internal readonly record struct KeySlot(int At, uint Hash);
