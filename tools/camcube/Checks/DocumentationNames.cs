using System.Collections.Immutable;
using System.Globalization;
using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>Names of types as documentation ids write them: <c>System.Func{``0}</c>, <c>System.Int32[]</c>.</summary>
internal sealed class DocumentationNames : ISignatureTypeProvider<string, object?>
{
    private const int MostNested = 100;

    public static DocumentationNames Instance { get; } = new();

    /// <summary>Full name of a type that the assembly refers to, without arguments:
    /// <c>System.Threading.Tasks.Task`1</c>.</summary>
    public static string Of(MetadataReader reader, TypeReferenceHandle handle)
    {
        string inner = "";
        for (int depth = 0; depth < MostNested; depth++)
        {
            TypeReference type = reader.GetTypeReference(handle);
            string name = reader.GetString(type.Name) + inner;
            if (type.ResolutionScope.Kind != HandleKind.TypeReference)
            {
                return Join(reader.GetString(type.Namespace), name);
            }

            inner = "." + name;
            handle = (TypeReferenceHandle)type.ResolutionScope;
        }

        throw new BadImageFormatException("Types are nested in a circle.");
    }

    /// <summary>Full name of a type of the assembly itself.</summary>
    public static string Of(MetadataReader reader, TypeDefinitionHandle handle)
    {
        string inner = "";
        for (int depth = 0; depth < MostNested; depth++)
        {
            TypeDefinition type = reader.GetTypeDefinition(handle);
            string name = reader.GetString(type.Name) + inner;
            if (type.GetDeclaringType() is not { IsNil: false } outer)
            {
                return Join(reader.GetString(type.Namespace), name);
            }

            inner = "." + name;
            handle = outer;
        }

        throw new BadImageFormatException("Types are nested in a circle.");
    }

    public string GetPrimitiveType(PrimitiveTypeCode typeCode) =>
        typeCode switch
        {
            PrimitiveTypeCode.TypedReference => "System.TypedReference",
            _ => "System." + typeCode,
        };

    public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) =>
        Of(reader, handle);

    public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) =>
        Of(reader, handle);

    public string GetTypeFromSpecification(
        MetadataReader reader,
        object? genericContext,
        TypeSpecificationHandle handle,
        byte rawTypeKind
    ) => reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    public string GetGenericInstantiation(string genericType, ImmutableArray<string> typeArguments)
    {
        // The number of arguments behind the ` goes, the arguments come.
        int tick = genericType.LastIndexOf('`');
        return $"{(tick < 0 ? genericType : genericType[..tick])}{{{string.Join(',', typeArguments)}}}";
    }

    public string GetGenericMethodParameter(object? genericContext, int index) =>
        "``" + index.ToString(CultureInfo.InvariantCulture);

    public string GetGenericTypeParameter(object? genericContext, int index) =>
        "`" + index.ToString(CultureInfo.InvariantCulture);

    public string GetSZArrayType(string elementType) => elementType + "[]";

    public string GetArrayType(string elementType, ArrayShape shape) =>
        $"{elementType}[{string.Join(',', Enumerable.Repeat("0:", shape.Rank))}]";

    public string GetByReferenceType(string elementType) => elementType + "@";

    public string GetPointerType(string elementType) => elementType + "*";

    public string GetPinnedType(string elementType) => elementType;

    public string GetModifiedType(string modifier, string unmodifiedType, bool isRequired) => unmodifiedType;

    public string GetFunctionPointerType(MethodSignature<string> signature) => "function pointer";

    private static string Join(string space, string name) => space.Length == 0 ? name : $"{space}.{name}";
}
