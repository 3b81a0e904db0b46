using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>Types in attributes, by name.</summary>
internal sealed class AttributeNames : ICustomAttributeTypeProvider<string>
{
    public static AttributeNames Instance { get; } = new();

    /// <summary>What an attribute is given; a damaged one has not even none.</summary>
    public static CustomAttributeTypedArgument<string>[] ArgumentsOf(CustomAttributeValue<string> value) =>
        value.FixedArguments.IsDefaultOrEmpty ? [] : [.. value.FixedArguments];

    public string GetPrimitiveType(PrimitiveTypeCode typeCode) => "System." + typeCode;

    public string GetSystemType() => "System.Type";

    public string GetSZArrayType(string elementType) => elementType + "[]";

    public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) =>
        DocumentationNames.Of(reader, handle);

    public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) =>
        DocumentationNames.Of(reader, handle);

    public string GetTypeFromSerializedName(string name) => name;

    // Enums of others: most are numbers of four bytes.
    public PrimitiveTypeCode GetUnderlyingEnumType(string type) => PrimitiveTypeCode.Int32;

    public bool IsSystemType(string type) => type == "System.Type";
}
