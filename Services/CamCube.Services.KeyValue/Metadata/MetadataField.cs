namespace CamCube.Services.KeyValue.Metadata;

/// <summary>A field that a client keeps beside its value.</summary>
/// <param name="Name">Its name, in lower case, without <c>x-meta-</c>.</param>
/// <param name="Value">Its value.</param>
internal readonly record struct MetadataField(string Name, string Value);
