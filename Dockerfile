# nnc in an image of its own, without what only its build needs:  docker build -t nnc .
#     docker run --rm -v "$PWD:/work" nnc model.net -o train_model
# Trainers are compiled for the processor that they are made on, unless --march says another; oneDNN is not in the image.
FROM debian:12-slim AS build
WORKDIR /src
COPY . .
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends gcc libc6-dev flex bison meson ninja-build pkg-config python3 libturbojpeg0-dev libpng-dev zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
RUN meson setup /build --prefix=/opt/nnc --buildtype=release \
 && meson install -C /build

FROM debian:12-slim
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends gcc libc6-dev binutils zlib1g-dev libturbojpeg0 libpng16-16 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/nnc /opt/nnc
RUN useradd --create-home nnc
USER nnc
WORKDIR /work
ENTRYPOINT ["/opt/nnc/bin/nnc"]
CMD ["--help"]
