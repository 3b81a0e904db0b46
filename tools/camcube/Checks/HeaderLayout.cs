using System.Reflection;
using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>How many bytes a struct of the assembly has, as the runtime lays it out, and whether references are in
/// it.</summary>
internal sealed class HeaderLayout(MetadataReader reader)
{
    private const int MostNested = 16;

    /// <summary>Whether it is one.</summary>
    public bool IsStruct(TypeDefinitionHandle type) =>
        reader.GetTypeDefinition(type).BaseType is { Kind: HandleKind.TypeReference } parent
        && DocumentationNames.Of(reader, (TypeReferenceHandle)parent) == "System.ValueType";

    /// <summary>Whether a field, or one of a struct in it, holds a reference.</summary>
    public bool HasReferences(TypeDefinitionHandle type) => HasReferences(type, 0);

    /// <summary>Its bytes; null: it cannot be said here (explicit places, types of other assemblies).</summary>
    public int? BytesOf(TypeDefinitionHandle type) => Of(type, 0)?.Bytes;

    private bool HasReferences(TypeDefinitionHandle type, int depth) =>
        depth < MostNested
        && FieldsOf(type)
            .Any(field =>
                field.Code
                    is SignatureTypeCode.String
                        or SignatureTypeCode.Object
                        or SignatureTypeCode.SZArray
                        or SignatureTypeCode.Array
                || (field.Type is { } inner && (!IsStruct(inner) && !IsEnum(inner) || HasReferences(inner, depth + 1)))
            );

    private (int Bytes, int Alignment)? Of(TypeDefinitionHandle type, int depth)
    {
        TypeDefinition definition = reader.GetTypeDefinition(type);
        if (depth == MostNested || (definition.Attributes & TypeAttributes.ExplicitLayout) != 0)
        {
            return null;
        }

        TypeLayout layout = definition.GetLayout();
        int at = 0,
            widest = 1;
        foreach ((SignatureTypeCode code, TypeDefinitionHandle? inner) in FieldsOf(type))
        {
            (int Bytes, int Alignment)? field =
                inner is { } handle ? Of(handle, depth + 1)
                : SimpleOf(code) is > 0 and var simple ? (simple, simple)
                : null;
            if (field is not { } known)
            {
                return null;
            }

            int alignment = layout.PackingSize > 0 ? Math.Min(layout.PackingSize, known.Alignment) : known.Alignment;
            at = Up(at, alignment) + known.Bytes;
            widest = Math.Max(widest, alignment);
        }

        return (Math.Max(layout.Size, Math.Max(1, Up(at, widest))), widest);
    }

    private bool IsEnum(TypeDefinitionHandle type) =>
        reader.GetTypeDefinition(type).BaseType is { Kind: HandleKind.TypeReference } parent
        && DocumentationNames.Of(reader, (TypeReferenceHandle)parent) == "System.Enum";

    private IEnumerable<(SignatureTypeCode Code, TypeDefinitionHandle? Type)> FieldsOf(TypeDefinitionHandle type)
    {
        foreach (FieldDefinitionHandle handle in reader.GetTypeDefinition(type).GetFields())
        {
            FieldDefinition field = reader.GetFieldDefinition(handle);
            if ((field.Attributes & FieldAttributes.Static) == 0)
            {
                BlobReader signature = reader.GetBlobReader(field.Signature);
                signature.ReadSignatureHeader();
                SignatureTypeCode code = signature.ReadSignatureTypeCode();
                EntityHandle named = code == SignatureTypeCode.TypeHandle ? signature.ReadTypeHandle() : default;
                yield return (
                    code,
                    named.Kind == HandleKind.TypeDefinition && !named.IsNil ? (TypeDefinitionHandle)named : null
                );
            }
        }
    }

    private static int SimpleOf(SignatureTypeCode code) =>
        code switch
        {
            SignatureTypeCode.Boolean or SignatureTypeCode.Byte or SignatureTypeCode.SByte => 1,
            SignatureTypeCode.Char or SignatureTypeCode.Int16 or SignatureTypeCode.UInt16 => 2,
            SignatureTypeCode.Int32 or SignatureTypeCode.UInt32 or SignatureTypeCode.Single => 4,
            SignatureTypeCode.Int64 or SignatureTypeCode.UInt64 or SignatureTypeCode.Double => 8,
            SignatureTypeCode.IntPtr or SignatureTypeCode.UIntPtr => 8,
            _ => 0,
        };

    private static int Up(int at, int alignment) => (at + alignment - 1) / alignment * alignment;
}
