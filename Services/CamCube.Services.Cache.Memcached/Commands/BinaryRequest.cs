namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>What the answer to a binary request needs of it.</summary>
/// <param name="Opcode">The opcode as it was asked, quiet or not: the answer repeats it.</param>
/// <param name="Opaque">Repeated in the answer.</param>
/// <param name="Status">The status of an answer that was known at once.</param>
internal readonly record struct BinaryRequest(BinaryOpcode Opcode, uint Opaque, BinaryStatus Status);
