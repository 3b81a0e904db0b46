using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>Names of what instructions use. Only what other assemblies define is named: a type of the user's own with a
/// banned name is another type.</summary>
internal sealed class UsedNames(MetadataReader reader)
{
    public UsedName? Of(EntityHandle handle)
    {
        switch (handle.Kind)
        {
            case HandleKind.MethodSpecification:
                return Of(reader.GetMethodSpecification((MethodSpecificationHandle)handle).Method);
            case HandleKind.TypeReference or HandleKind.TypeSpecification:
                return TypeOf(handle) is { } named ? new UsedName(named, "", null) : null;
            case HandleKind.MemberReference:
                MemberReference member = reader.GetMemberReference((MemberReferenceHandle)handle);
                if (TypeOf(member.Parent) is not { } type)
                {
                    return null;
                }

                string name = reader.GetString(member.Name);
                bool isMethod = member.GetKind() == MemberReferenceKind.Method;
                return new UsedName(type, name, isMethod ? IdOf(type, member) : $"{type}.{name}");
            default:
                return null;
        }
    }

    private string? TypeOf(EntityHandle handle) =>
        handle.Kind switch
        {
            HandleKind.TypeReference => DocumentationNames.Of(reader, (TypeReferenceHandle)handle),
            HandleKind.TypeSpecification => OpenTypeOf((TypeSpecificationHandle)handle),
            _ => null,
        };

    // Task<int> is Task`1 in the list; an array or pointer is as banned as its element.
    private string? OpenTypeOf(TypeSpecificationHandle handle)
    {
        BlobReader signature = reader.GetBlobReader(reader.GetTypeSpecification(handle).Signature);
        while (true)
        {
            switch (signature.ReadSignatureTypeCode())
            {
                case SignatureTypeCode.SZArray
                or SignatureTypeCode.Array
                or SignatureTypeCode.Pointer
                or SignatureTypeCode.ByReference
                or SignatureTypeCode.Pinned:
                case SignatureTypeCode.GenericTypeInstance:
                    continue;
                case SignatureTypeCode.TypeHandle:
                    EntityHandle type = signature.ReadTypeHandle();
                    return type.Kind == HandleKind.TypeReference ? TypeOf(type) : null;
                default:
                    return null;
            }
        }
    }

    private string IdOf(string type, MemberReference method)
    {
        MethodSignature<string> signature = method.DecodeMethodSignature(DocumentationNames.Instance, null);
        string name = reader.GetString(method.Name).Replace('.', '#');
        string arity = signature.GenericParameterCount == 0 ? "" : $"``{signature.GenericParameterCount}";
        string parameters =
            signature.ParameterTypes.Length == 0 ? "" : $"({string.Join(',', signature.ParameterTypes)})";

        // A property stands in the list by its name alone; those there have no parameters.
        return $"{type}.{name}{arity}{parameters}";
    }
}
