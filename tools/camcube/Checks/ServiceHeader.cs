namespace CamCube.Tool.Checks;

/// <summary>What a service's packets begin with.</summary>
/// <param name="Id">The service's id.</param>
/// <param name="Name">Its name.</param>
/// <param name="Type">The header's type; null: it declares none.</param>
/// <param name="Size">Bytes of the header.</param>
/// <param name="Fields">Its fields, in the order in which they lie.</param>
internal sealed record ServiceHeader(ushort Id, string Name, string? Type, int Size, IReadOnlyList<HeaderField> Fields);
