using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace CamCube.Tool.Checks;

/// <summary>What an instruction calls.</summary>
/// <param name="Named">Of another assembly: type and name.</param>
/// <param name="Own">Of this assembly: the method.</param>
/// <param name="Parameters">How many it takes, without the object.</param>
/// <param name="HasThis">Whether it is called on an object.</param>
/// <param name="HasResult">Whether it answers something.</param>
internal sealed record CalledMethod(
    UsedName? Named,
    MethodDefinitionHandle Own,
    int Parameters,
    bool HasThis,
    bool HasResult
)
{
    /// <summary>Of a token of a method.</summary>
    public static CalledMethod Of(MetadataReader reader, UsedNames names, int token)
    {
        EntityHandle handle = MetadataTokens.EntityHandle(token);
        UsedName? named = names.Of(handle);
        if (handle.Kind == HandleKind.MethodSpecification)
        {
            handle = reader.GetMethodSpecification((MethodSpecificationHandle)handle).Method;
        }

        switch (handle.Kind)
        {
            case HandleKind.MethodDefinition:
                var own = (MethodDefinitionHandle)handle;
                return Of(
                    named,
                    own,
                    reader.GetMethodDefinition(own).DecodeSignature(DocumentationNames.Instance, null)
                );
            case HandleKind.MemberReference:
                MemberReference member = reader.GetMemberReference((MemberReferenceHandle)handle);
                return Of(
                    named,
                    OwnOf(reader, member),
                    member.DecodeMethodSignature(DocumentationNames.Instance, null)
                );
            case HandleKind.StandaloneSignature:
                return Of(
                    null,
                    default,
                    reader
                        .GetStandaloneSignature((StandaloneSignatureHandle)handle)
                        .DecodeMethodSignature(DocumentationNames.Instance, null)
                );
            default:
                throw new BadImageFormatException("A call of what is no method.");
        }
    }

    // Members of generic types of the assembly itself are referred to as if they were another's.
    private static MethodDefinitionHandle OwnOf(MetadataReader reader, MemberReference member)
    {
        EntityHandle type = member.Parent;
        if (type.Kind == HandleKind.TypeSpecification)
        {
            BlobReader signature = reader.GetBlobReader(
                reader.GetTypeSpecification((TypeSpecificationHandle)type).Signature
            );
            if (signature.ReadSignatureTypeCode() != SignatureTypeCode.GenericTypeInstance)
            {
                return default;
            }

            signature.ReadSignatureTypeCode();
            type = signature.ReadTypeHandle();
        }

        if (type.Kind != HandleKind.TypeDefinition)
        {
            return default;
        }

        byte[] shape = reader.GetBlobBytes(member.Signature);
        return reader
            .GetTypeDefinition((TypeDefinitionHandle)type)
            .GetMethods()
            .FirstOrDefault(method =>
                reader.GetMethodDefinition(method) is var one
                && reader.GetString(one.Name) == reader.GetString(member.Name)
                && reader.GetBlobBytes(one.Signature).AsSpan().SequenceEqual(shape)
            );
    }

    private static CalledMethod Of(UsedName? named, MethodDefinitionHandle own, MethodSignature<string> signature) =>
        new(
            named,
            own,
            signature.ParameterTypes.Length,
            signature.Header.IsInstance && !signature.Header.HasExplicitThis,
            signature.ReturnType != "System.Void"
        );
}
