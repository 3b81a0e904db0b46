namespace CamCube.Services.KeyValue.Log;

/// <summary>What the pieces of one value have in common. Its writer makes it so that no other value has it.</summary>
/// <param name="High">Its first eight bytes.</param>
/// <param name="Low">Its last eight bytes.</param>
internal readonly record struct PieceId(ulong High, ulong Low);
