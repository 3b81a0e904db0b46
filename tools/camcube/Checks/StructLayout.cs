using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace CamCube.Tool.Checks;

/// <summary>Where the fields of a struct lie: what the runtime says, not what the marshaller would make of
/// it.</summary>
internal static class StructLayout
{
    private static readonly Dictionary<Type, (HeaderFieldKind Kind, int Size)> Known = new()
    {
        [typeof(byte)] = (HeaderFieldKind.Unsigned, 1),
        [typeof(ushort)] = (HeaderFieldKind.Unsigned, 2),
        [typeof(char)] = (HeaderFieldKind.Unsigned, 2),
        [typeof(uint)] = (HeaderFieldKind.Unsigned, 4),
        [typeof(ulong)] = (HeaderFieldKind.Unsigned, 8),
        [typeof(sbyte)] = (HeaderFieldKind.Signed, 1),
        [typeof(short)] = (HeaderFieldKind.Signed, 2),
        [typeof(int)] = (HeaderFieldKind.Signed, 4),
        [typeof(long)] = (HeaderFieldKind.Signed, 8),
        [typeof(float)] = (HeaderFieldKind.Real, 4),
        [typeof(double)] = (HeaderFieldKind.Real, 8),
        [typeof(bool)] = (HeaderFieldKind.Truth, 1),
        [typeof(Guid)] = (HeaderFieldKind.Guid, 16),
        [typeof(Coordinate)] = (HeaderFieldKind.Place, 6),
    };

    /// <summary>Size and fields of a struct of unmanaged fields, at most a header's length.</summary>
    /// <param name="type">The struct.</param>
    /// <param name="what">What it is, for messages.</param>
    /// <exception cref="BadAssemblyException">It is none.</exception>
    public static (int Size, IReadOnlyList<HeaderField> Fields) Of(Type type, string what)
    {
        if (!type.IsValueType || type.ContainsGenericParameters || HasReferences(type))
        {
            throw new BadAssemblyException($"{what}, {type}, is no struct of unmanaged fields, so it has no place.");
        }

        int size = SizeOf(type);
        if (size > Packet.MaxHeaderLength)
        {
            throw new BadAssemblyException(
                $"{what}, {type}, has {size} bytes; {Packet.MaxHeaderLength} is the most of a header."
            );
        }

        var walk = new Walk(what);
        walk.Add(type, "", "", 0);
        return (size, walk.Fields);
    }

    private static bool HasReferences(Type type) =>
        (bool)
            typeof(RuntimeHelpers)
                .GetMethod(nameof(RuntimeHelpers.IsReferenceOrContainsReferences))!
                .MakeGenericMethod(type)
                .Invoke(null, null)!;

    private static int SizeOf(Type type) =>
        Compute(
            type,
            code =>
            {
                code.Emit(OpCodes.Sizeof, type);
            }
        );

    private static int OffsetOf(Type type, FieldInfo field) =>
        Compute(
            type,
            code =>
            {
                LocalBuilder local = code.DeclareLocal(type);
                code.Emit(OpCodes.Ldloca, local);
                code.Emit(OpCodes.Ldflda, field);
                code.Emit(OpCodes.Conv_U);
                code.Emit(OpCodes.Ldloca, local);
                code.Emit(OpCodes.Conv_U);
                code.Emit(OpCodes.Sub);
                code.Emit(OpCodes.Conv_I4);
            }
        );

    private static int Compute(Type type, Action<ILGenerator> emit)
    {
        var method = new DynamicMethod("layout", typeof(int), [], type.Module, skipVisibility: true);
        ILGenerator code = method.GetILGenerator();
        emit(code);
        code.Emit(OpCodes.Ret);
        return method.CreateDelegate<Func<int>>()();
    }

    private sealed class Walk(string what)
    {
        private readonly HashSet<string> _names = new(StringComparer.Ordinal);

        public List<HeaderField> Fields { get; } = [];

        public void Add(Type type, string prefix, string labels, int offset)
        {
            FieldInfo[] fields = type.GetFields(
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly
            );
            foreach ((FieldInfo field, int at) in fields.Select(f => (f, OffsetOf(type, f))).OrderBy(f => f.Item2))
            {
                string label = LabelOf(field);
                AddField(field, $"{prefix}{FilterNames.Of(label)}", $"{labels}{label}", offset + at);
            }
        }

        private void AddField(FieldInfo field, string name, string label, int offset)
        {
            if (field.GetCustomAttribute<FixedBufferAttribute>() is { } buffer)
            {
                AddMany(buffer.ElementType, buffer.Length, name, label, offset);
            }
            else
            {
                AddOne(field.FieldType, name, label, offset);
            }
        }

        private void AddOne(Type type, string name, string label, int offset)
        {
            if (type.IsPointer || type.IsFunctionPointer || type == typeof(nint) || type == typeof(nuint))
            {
                throw new BadAssemblyException(
                    $"{what}: {label} is a {type}, which depends on the machine and cannot be shown."
                );
            }

            Type shown = type.IsEnum ? type.GetEnumUnderlyingType() : type;
            if (Known.TryGetValue(shown, out (HeaderFieldKind Kind, int Size) known))
            {
                Put(name, label, offset, known.Size, 1, known.Kind, type);
            }
            else if (type.GetCustomAttribute<InlineArrayAttribute>() is { Length: var length })
            {
                FieldInfo element = type.GetFields(
                    BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
                )[0];
                AddMany(element.FieldType, length, name, label, offset);
            }
            else if (type.Assembly == typeof(int).Assembly)
            {
                // Its fields are nobody's business: Int128, DateTime and the like.
                Put(name, label, offset, SizeOf(type), 1, HeaderFieldKind.Bytes, type);
            }
            else
            {
                Add(type, $"{name}.", $"{label}.", offset);
            }
        }

        private void AddMany(Type element, int count, string name, string label, int offset)
        {
            Type shown = element.IsEnum ? element.GetEnumUnderlyingType() : element;
            if (element == typeof(byte))
            {
                Put(name, label, offset, count, 1, HeaderFieldKind.Bytes, element);
            }
            else if (Known.TryGetValue(shown, out (HeaderFieldKind Kind, int Size) known))
            {
                Put(name, label, offset, known.Size, count, known.Kind, element);
            }
            else
            {
                int size = SizeOf(element);
                for (int i = 0; i < count; i++)
                {
                    AddOne(element, $"{name}.{i}", $"{label}[{i}]", offset + (i * size));
                }
            }
        }

        private void Put(string name, string label, int offset, int size, int count, HeaderFieldKind kind, Type type)
        {
            // C# tells Words from words; a filter does not.
            string own = name;
            for (int i = 2; !_names.Add(own); i++)
            {
                own = $"{name}_{i}";
            }

            bool isFlags = type.IsEnum && type.GetCustomAttribute<FlagsAttribute>() is not null;
            Fields.Add(new HeaderField(own, label, offset, size, count, kind, ValuesOf(type), isFlags));
        }

        private static HeaderValue[] ValuesOf(Type type) =>
            type.IsEnum
                ?
                [
                    .. type.GetFields(BindingFlags.Static | BindingFlags.Public)
                        .Select(field => new HeaderValue(
                            Convert.ToDecimal(
                                field.GetRawConstantValue(),
                                System.Globalization.CultureInfo.InvariantCulture
                            ),
                            field.Name
                        ))
                        .DistinctBy(value => value.Value)
                        .OrderBy(value => value.Value),
                ]
                : [];

        // <Words>k__BackingField is the property Words.
        private static string LabelOf(FieldInfo field) =>
            field.Name.StartsWith('<') && field.Name.IndexOf('>') is > 1 and var end ? field.Name[1..end]
            : field.Name.TrimStart('_') is { Length: > 0 } name ? name
            : field.Name;
    }
}
